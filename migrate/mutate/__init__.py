"""Seeded mistakes in ports: how many of them does verification find?"""
