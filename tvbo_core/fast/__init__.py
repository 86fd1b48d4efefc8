"""The same numbers for many runs at once. Nothing rests on this folder: without it results come slower."""
