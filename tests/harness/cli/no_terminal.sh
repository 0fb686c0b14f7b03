#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where no pseudo-terminal can be had, as in a root without devpts, the test of terminals says so and
# ends, and no process that is not its own gets a signal.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

# bare COMMAND...: where there is neither /dev/pts nor /dev/ptmx, in a session of its own, since what
# a wrong number signals is a process group.
bare()
{
    setsid --wait unshare --mount sh -c \
        'mount -t tmpfs none /dev/pts && mount --bind /dev/null /dev/ptmx && "$@"' sh "$@"
}

why=$(bare true 2>&1) || tap_skip_all "mounts of its own are not allowed here: $why"
bare "${top_builddir:?}/tests/harness/cli/t_interrupt.t" >"$tap_scratch/said" 2>&1
tap_check "it ends, and well" tap_same $? 0
tap_check "it says why it tests nothing" tap_says "$tap_scratch/said" \
    '^ok 1 # SKIP no pseudo-terminal can be had here'
tap_done
