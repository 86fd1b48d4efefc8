"""Long computations: jobs, the engines that perform them, and their progress on a page."""
