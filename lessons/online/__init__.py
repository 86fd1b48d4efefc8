"""What holds then? A band whose width follows its own misses, beside two that trust their model."""
