"""Write the lab's texts to build/words, where `npm run words` checks them: screen texts and docstrings, a line each."""
