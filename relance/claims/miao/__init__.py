"""Claims of Miao (2014) on one-card poker."""
