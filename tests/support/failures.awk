# SPDX-License-Identifier: GPL-3.0-or-later
# What failed in logs of `make check`: each failed assertion with the lines that explain it, and
# automake's own lines on failures.  A log's end alone seldom has them.
/^(FAIL|XPASS|ERROR): / { print; next } # these stand between an assertion and its lines
/^not ok / { print; failed = 1; next }
failed && /^#/ { print; next }
{ failed = 0 }
