"""Gates: rules that a run must pass before it is released. No threshold ships: all are the workspace's own."""
