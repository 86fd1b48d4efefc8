"""The papers' letters beside the lab's own."""
