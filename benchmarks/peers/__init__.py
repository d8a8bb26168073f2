"""One file a peer: `run(paths)` reads the files and returns how many pages it read."""
