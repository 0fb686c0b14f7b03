#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Copies of a store that are taken while a sweep writes, as a backup or a disk that was pulled has them:
# with SQLite's log, with a part of it, without it.  Each opens, or is refused clearly and rescued; a sweep
# into it ends with what a sweep says that was left alone.
# shellcheck disable=SC2154,SC2317 # tap.sh sets tap_scratch; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

moments=5
tap_whole || moments=2

planner_experiment tiny '"naive", "greedy-by-size", "branch-and-bound"' '"uniform:n={20,60},seed={1..20}"'

random=20261123
# copy NAME LENGTH: of the store with that much of its log; none: without.
copy()
{
    mkdir "$1"
    cp live/results.db "$1"
    [ "$2" = none ] || head -c "$2" live/results.db-wal >"$1/results.db-wal"
}

# Copies of a sweep that is stopped when its log has at least $1 KiB.
copies()
{
    stopped_sweep live "$1"
    length=$(cat live/results.db-wal 2>/dev/null | wc -c)
    if [ "$length" -gt 0 ]; then
        copy "copy-$1-whole" "$length"
        copy "copy-$1-none" none
        for part in 1 2; do
            next_random
            copy "copy-$1-part$part" $((length * draw / 1000))
        done
    fi
    kill_process $pid
}

refused()
{
    grep -q -e "results.db: damaged: .*; 'arenabench rescue .* --output NEW' saves" \
        -e 'results.db: nothing can be read: ' err || { cat err; return 1; }
}

goes_on()
{
    if sweep "$1"; then
        stored_rows "$1" >got
    else
        refused || return 1
        echo "$1" >>refused
        "$arenabench" rescue "$1" --output "$1-saved" >out 2>err || [ -e "$1-saved/results.db" ] || refused || return 1
        sweep "$1-saved" || return 1
        stored_rows "$1-saved" >got
    fi
    same_rows whole.txt got
}

tap_check "a sweep" sweep whole
stored_rows whole >whole.txt
: >refused
moment=0
while [ $moment -lt $moments ]; do
    moment=$((moment + 1))
    next_random
    copies $((draw * 2 + 20))
done
count=0
for dir in copy-*; do
    [ -d "$dir" ] || continue
    count=$((count + 1))
    tap_check "$dir goes on" goes_on "$dir"
done
tap_check "there are copies" test $count -ge 4
echo "# $(wc -l <refused) of $count copies were refused"
tap_check "with the whole log none is refused" tap_nothing grep whole refused
tap_done
