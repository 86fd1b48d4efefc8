"""The same numbers for many runs at once; only `play_many` imports it, and without this folder results come slower."""
