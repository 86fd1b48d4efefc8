"""The papers' tables and figures beside what our code gives."""
