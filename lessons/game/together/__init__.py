"""The game of a hall: every phone plays one hidden world, and the wall shows the crowd among the bandits."""
