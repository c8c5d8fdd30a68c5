"""Games"""
