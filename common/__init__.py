"""Small things of every room: caches, escaped text, how a duration is written. They import no other room."""
