"""Answers: the content of a page as a pure function of its state.

A `State` is a lesson with the values of its knobs, a time, a view and a look; `ask(state, what)` answers for it. Hosts
draw the answers: Streamlit's pages and the server's films, the site's files, the notebook. Nothing here imports one.
"""
