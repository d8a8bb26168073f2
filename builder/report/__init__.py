"""HTML that opens anywhere: one shell, one content policy, charts as inline SVG. No script, no network."""
