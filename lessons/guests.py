"""The command line of the server: `streamlit run app.py -- --with mine.py@Greedy -S window=20 --with course.toml`."""

from __future__ import annotations

from collections.abc import Sequence

from tvbo_core.guests import ADMITTED, BAND, admit, load_guest
from tvbo_core.testing.band import check_forms, check_shortcuts, few_observations

COURSE = ".toml"  # a course, which `shell.hall.course.own` reads


def start(words: Sequence[str]) -> None:
    """Put the guests of a command line on the lists, before the lessons are loaded, which walk them.

    A band whose forms differ is refused here: the lesson would draw one of them and count another.

    Raises:
        ValueError: a word that is not understood, or a guest that cannot be or is two bands at once.
    """
    admit(load_guest(*one) for one in addresses(words) if not one[0].endswith(COURSE))
    for guest in ADMITTED.values():
        if guest.kind == BAND:
            try:
                band = guest.band(2.0, 0.1, 0.1)
                check_forms(band)
                check_shortcuts(band, *few_observations())
            except AssertionError as false:
                raise ValueError(f"{guest} is refused: {false}") from None
            except Exception:  # the lesson names it and draws the others
                continue


def course_files(words: Sequence[str]) -> list[str]:
    """Return the files of courses on a command line; raise ValueError for a word that is not understood."""
    return [address for address, _ in addresses(words) if address.endswith(COURSE)]


def addresses(words: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the addresses of a command line with the settings that follow each: `--with FILE@NAME -S FIELD=VALUE`.

    Raises:
        ValueError: another word, or a setting before any address.
    """
    found: list[tuple[str, tuple[str, ...]]] = []
    rest = iter(words)
    for word in rest:
        value = next(rest, "")
        if word == "--with" and value:
            found.append((value, ()))
        elif word in ("-S", "--set") and value and found and not found[-1][0].endswith(COURSE):
            found[-1] = (found[-1][0], (*found[-1][1], value))
        else:
            raise ValueError(
                "guests are named as in --with mine.py@Greedy -S window=20, each setting after its guest, got "
                f"{' '.join(words)}"
            )
    return found
