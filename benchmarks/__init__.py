"""Benchmarks: every figure of the README, and nothing that a test asserts."""
