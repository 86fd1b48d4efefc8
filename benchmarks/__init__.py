"""What costs a visitor or a server time, measured; each ratio holds within one run."""
