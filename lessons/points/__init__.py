"""A band from a few points: how do a few noisy observations become an estimate and a band?"""
