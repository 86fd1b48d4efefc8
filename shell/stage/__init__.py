"""Films by address and the stage with its player that shows them: what assets/stage and assets/player ask for."""
