"""Parts for lectures: the speaker's view, courses, bets, and the lab inside another page."""
