"""Pages without a server: a site, a pack of a course or of chosen moments, a page in one file; and what leaves a page
as a picture, a film, points, a caption or a script."""
