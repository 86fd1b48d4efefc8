"""How much can a number of answers tell?"""
