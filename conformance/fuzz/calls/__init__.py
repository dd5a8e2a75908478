"""Histories of calls: each gives what a freshly compiled program gives, and what eager gives."""
