#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps that are killed in place of one write to the store, whichever that is, and begun again: the
# store says what that of a sweep says that was left alone.  Each second write is enough, as a transaction
# is several; STEP=1 for all of them, and those of a sweep of kernels (make check-kills).
# shellcheck disable=SC2154,SC2317 # tap.sh sets tap_scratch; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"
tap_whole_tier_only "each write"

build=$(cd "${top_builddir:?}" && pwd)
killing=$(cd "$top_srcdir/tests/harness/sweep" && pwd)/killing_write.c
arenabench=$build/arenabench
without_leak_checks
step=${STEP:-2}

# shellcheck disable=SC2086 # CC may hold several words
${CC:-cc} -I"$build" -shared -fPIC -o killing.so "$killing" -ldl 2>/dev/null ||
    tap_skip_all "there is no compiler, or another C library"
planner_experiment plans '"naive"' '"uniform:n=20"'
kernel_experiment kernels generic '"c=8,h=4,w=4,k=8,r=1,s=1"' '"mgemm:co=1v,wo=1"'
experiments=plans.cfg
[ "$step" -gt 1 ] || experiments="plans.cfg kernels.cfg"

# A sweep into $1 that is killed at its write number $2, unless it has fewer.
killed_at()
{
    # shellcheck disable=SC2086 # several files
    env LD_PRELOAD="$tap_scratch/killing.so" KILLED_WRITE="$2" \
        "$arenabench" sweep $experiments --output "$1" --jobs 1 >out 2>err
    status=$?
    [ $status -eq 0 ] || [ $status -eq 137 ] || { cat err; return 1; }
}

finished()
{
    # shellcheck disable=SC2086 # several files
    "$arenabench" sweep $experiments --output "$1" --jobs 1 >out 2>err || { cat err; return 1; }
    stored_rows "$1" >got && same_rows whole.txt got
}

left_alone()
{
    killed_at whole 0 && stored_rows whole >whole.txt && grep -q '^plan|' whole.txt
}

# Says of each write at which a kill lost anything what that was.
each_write()
{
    at=1
    status=137
    while [ $status -eq 137 ]; do
        rm -rf killed
        { killed_at killed $at && finished killed; } >lost 2>&1 || { echo "write $at"; cat lost; }
        at=$((at + step))
    done 2>/dev/null
    [ $at -gt 80 ] || echo "only $at writes"
}

tap_check "a sweep that is left alone" left_alone
tap_check "killed at any write and finished, the same" tap_nothing each_write
tap_done
