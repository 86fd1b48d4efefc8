"""A room: a hall answers bets on phones."""
