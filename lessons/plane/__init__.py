"""A hill in the plane: how do you follow a peak with two coordinates?"""
