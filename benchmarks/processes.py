"""Processes that were started from here; any of them may end while it is looked at."""

from __future__ import annotations

from contextlib import suppress

import psutil


def commands() -> dict[psutil.Process, str]:
    """Return the processes that run below this one, each with its command."""
    found = {}
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if not ended(process):
                found[process] = " ".join(process.cmdline())
    return found


def server_on(address: str) -> psutil.Process:
    """Return the child process that serves this address.

    Raises:
        LookupError: it has ended.
    """
    port = address.rpartition(":")[2]
    for child, command in commands().items():
        if port in command.split():
            return child
    raise LookupError(f"the server on {address} has ended")


def ended(process: psutil.Process) -> bool:
    """Return whether it runs no more; one whose parent has not asked for its exit code yet has ended as well."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
