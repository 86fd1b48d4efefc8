"""A site without a server: the lab's films, pages and courses as plain files (docs/site.md)."""
