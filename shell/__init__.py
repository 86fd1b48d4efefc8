"""Parts of the pages that all lessons share."""
