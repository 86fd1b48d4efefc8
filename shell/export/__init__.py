"""What a reader takes home from a page: pictures, points, films that play offline, captions, the lecture pack."""
