"""Drawing that lessons share: records in, Plotly figures out."""
