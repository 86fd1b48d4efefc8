"""Side by side against peers, in one run: only the ratios mean something on another machine."""
