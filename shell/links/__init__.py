"""Links to the state of a page: written, read and checked."""

VERSION = 4  # of links: raise it, and write the defaults into assets/links/, when a default moves
