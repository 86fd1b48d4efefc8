"""Links to the state of a page: written, read and checked."""

VERSION = 4  # of links: raise it when one of an older release would be read in another way
