# SPDX-License-Identifier: GPL-3.0-or-later
# A planner that shares nothing: each buffer on top of those before.
BEGIN { FS = OFS = "," }
NR == 1 { print "id", "offset"; next }
{ print $1, top + 0; top += $4 }
