"""Claims of the papers"""
