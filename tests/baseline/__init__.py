"""All that the lab shows as approved plain text: one file a lesson in expected/.

`python -m tests.baseline` prints what differs, `python -m tests.baseline approve [LESSON ...]` writes the files, and
`pytest tests/baseline` compares and writes nothing but a NAME.new beside a file that differs, outside CI.
"""
