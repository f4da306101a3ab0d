"""Generates Python from the core IR for the default engine. The reference interpreter defines the meaning."""
