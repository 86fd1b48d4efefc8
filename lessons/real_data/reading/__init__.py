"""Reading of a table from bytes, and the process that does it: these modules import no other of the lab."""
