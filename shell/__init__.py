"""The shell: the parts of the pages that all lessons share."""
