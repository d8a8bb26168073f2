"""The user's editor, for texts that need an input method."""

import os
import shlex
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory


def edit(text: str) -> str | None:
    """`text` after the user edited it as a Markdown file in $VISUAL, $EDITOR or vi; none where the editor failed."""
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    with TemporaryDirectory(prefix="builder-") as folder:
        path = Path(folder) / "case.md"
        path.write_text(text, encoding="utf-8")
        try:
            code = subprocess.run([*command, str(path)], check=False).returncode
            return path.read_text(encoding="utf-8") if code == 0 else None
        except (OSError, UnicodeDecodeError):
            return None
