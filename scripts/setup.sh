#!/bin/sh
# Makes the environment: setup.sh PYTHON VENV. Says in one line what is missing.
set -eu
python=$1
venv=$2

say() { printf '%s\n' "$*" >&2; }

command -v "$python" >/dev/null || { say "setup: $python is missing: install Python 3.11 or newer (Debian: apt install python3 python3-venv)"; exit 3; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { say "setup: $python is older than 3.11: make PYTHON=python3.12 …"; exit 3; }
"$python" -c 'import ensurepip, venv' 2>/dev/null || { say "setup: python3-venv is missing: apt install python3-venv"; exit 3; }

[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
pip() { "$venv/bin/python" -m pip --disable-pip-version-check -q "$@"; }

# Tesseract with Chinese reads scans; where it is not there, the extra brings an engine that needs no system package.
extras=
if ! tesseract --list-langs 2>/dev/null | grep -qx chi_sim; then
    extras='[rapidocr]'
    say "setup: tesseract with chi_sim is missing (apt install tesseract-ocr tesseract-ocr-chi-sim); rapidocr is installed in its place"
fi
say "setup: installing into $venv"
pip install -c constraints.txt 'pip>=25.1'
pip install -c constraints.txt -e ".$extras"
