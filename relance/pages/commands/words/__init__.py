"""Words"""
