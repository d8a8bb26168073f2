"""One file a peer.

Of reading: `run(paths)` reads the files and returns how many pages it read. Of generating (`generate_*`):
`run(python, folder, documents, base_url, asked)` lets the tool make so many cases of the documents in an empty folder,
and returns the questions that it kept, how many of the missing ones its last words own up to (`told`), its exit code,
and those words. `PACKAGES` is what the peer's environment holds.
"""
