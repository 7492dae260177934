"""Joins tests of odd input into tables of their own."""
