"""The only room, with the pages, that knows Streamlit."""
