"""What every lesson shares of Streamlit and of its server."""
