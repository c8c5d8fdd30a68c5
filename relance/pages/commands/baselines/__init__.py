"""Learning"""
