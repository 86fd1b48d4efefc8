"""The bet of a page: question, answer, reveal."""
