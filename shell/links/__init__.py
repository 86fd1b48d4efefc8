"""Links to exactly what is on the screen: written, read and checked."""

VERSION = 1  # of links: raise it, and write the defaults into assets/links/, when a default moves
