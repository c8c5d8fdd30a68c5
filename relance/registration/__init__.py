"""The games in OpenSpiel, PettingZoo and Gymnasium: one generic adapter each."""
