"""What a lecture needs: the speaker's view, courses, bets, and the lab inside another page."""
