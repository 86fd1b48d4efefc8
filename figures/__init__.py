"""Records in, Plotly figures out. This room draws; it never computes."""
