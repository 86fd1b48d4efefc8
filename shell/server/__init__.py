"""The server around the pages: headers, limits, logs, origins, and the files that browsers ask for. Knows no lesson."""
