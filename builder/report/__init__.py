"""One HTML shell, one content policy, the charts. Still empty."""
