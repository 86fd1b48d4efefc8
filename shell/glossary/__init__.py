"""The glossary: one table of terms, its marks in the pages' texts, its pictures, and its page."""
