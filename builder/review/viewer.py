"""The system's viewer, for pictures."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

VIEWER = "BUILDER_VIEWER"
"""Environment variable with the command that shows a picture."""
_USUAL = ("xdg-open", "open", "wslview")


def view(path: Path) -> bool:
    """Show a picture in a program of its own, which may outlive us; false where there is none."""
    asked = os.environ.get(VIEWER, "")
    try:
        command = shlex.split(asked) if asked else [name for name in _USUAL if shutil.which(name)][:1]
        if not command or not (asked or _has_screen(command[0])):
            return False
        subprocess.Popen(
            [*command, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError):
        return False
    return True


def _has_screen(command: str) -> bool:
    """Under X11 or Wayland a picture needs a display; a remote shell mostly has none."""
    return command != "xdg-open" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
