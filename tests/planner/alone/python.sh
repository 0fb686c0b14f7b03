#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The binding for Python against the library as it is built here.
set -u
: "${top_srcdir:?}" "${top_builddir:?}"

skip()
{
    echo "1..0 # SKIP $1"
    exit 0
}
command -v python3 >/dev/null || skip "python3 is not here"
python3 -c 'import sys, ctypes, dataclasses; sys.exit(sys.version_info < (3, 8))' 2>/dev/null ||
    skip "python3 is older than 3.8, or has no ctypes"
grep -q '^SAN_FLAGS = *$' "$top_builddir/Makefile" || skip "Python can't load a library with sanitizers"
version=$(sed -n 's/^ARENAPLAN_VERSION = *//p' "$top_builddir/Makefile")
ARENAPLAN_LIBRARY=$top_builddir/planner/libarenaplan.so.$version
PYTHONPATH=$top_srcdir/bindings/python
PYTHONDONTWRITEBYTECODE=1
export ARENAPLAN_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE

# What the documentation of its functions shows is so.
(cd "$PYTHONPATH" && python3 -m doctest arenaplan.py) || exit 1
exec python3 "$top_srcdir/tests/planner/alone/bindings.py"
