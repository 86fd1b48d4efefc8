"""Glossary: what do the words mean?"""

from lessons import LESSONS
from shell.page.frame import open_glossary

open_glossary(LESSONS)
