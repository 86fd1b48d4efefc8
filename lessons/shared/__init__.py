"""Parts that several lessons share: knobs, worlds from their values, stored runs, scripts, wording."""
