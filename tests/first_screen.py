"""`python -m tests.first_screen [LESSON ...]` prints how many words each page's first screen has beside its picture.

Counted are sentences, titles and notes that stand on a page as it opens. Labels of controls, the words of buttons and
what lies behind a click are not.
"""

from __future__ import annotations

import re
import sys

from answers.ask import PAGE, ask
from answers.state import State
from common.markup import plain_markdown
from lessons import BY_KEY, LESSONS
from tests.shared import unmarked

WORD = re.compile(r"[^\W\d_]\w*(?:[-’'][^\W\d_]\w*)*")  # not numbers and signs
