#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep that is killed at random moments and started again ends with the
# tasks and the deterministic results of one that was left alone.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

arenabench=$(cd "${top_builddir:?}" && pwd)/arenabench
cd "$tap_scratch" || exit 99
kills_wanted=25
tap_whole || kills_wanted=8

planner_experiment tiny '"naive", "greedy-by-size", "path-cover"' \
    '"uniform:n={6,20},seed={1..10}", "random-dag:n=12,seed={1..6}"'

random=20240229

# Starts a sweep into $1, kills it after about $2 thousandths of a second.
# Succeeds when it was still running.
kill_one()
{
    "$arenabench" sweep tiny.cfg --output "$1" --jobs 2 >/dev/null 2>&1 &
    sweep=$!
    pause "$2"
    kill_process $sweep
    [ $? -eq 137 ]
}

# Sweeps to the end; the tasks before and now are all of them.
finish()
{
    sweep "$1" || return 1
    awk '$1 == "tiny" && $2 == 78 && $3 + $4 == 78 { good = 1; if ($3 > 0) print "kept " $3 }
         END { exit !good }' out
}

same_as_whole()
{
    finish "$1" >kept || { cat kept; return 1; }
    timeless_columns "$1/tiny.csv" >got.csv
    same_rows whole.txt got.csv
}

before=$(date +%s%N)
tap_check "a sweep that is left alone" finish whole
duration=$((($(date +%s%N) - before) / 1000000 + 20))
timeless_columns whole/tiny.csv >whole.txt
tap_check "has all its tasks" test "$(wc -l <whole.txt)" -eq 79

# In a fresh folder each, until there were enough kills in the middle; a sweep
# that was done first makes the next ones quicker to be killed.
kills=0
tries=0
kept=0
while [ $kills -lt $kills_wanted ] && [ $tries -lt 200 ]; do
    tries=$((tries + 1))
    next_random
    delay=$((draw * duration / 1000))
    if kill_one "fresh-$tries" $delay; then
        kills=$((kills + 1))
        tap_check "killed after $delay ms, then finished: the same results" \
            same_as_whole "fresh-$tries"
        grep -q kept kept && kept=$((kept + 1))
    else
        duration=$((duration * 9 / 10 + 1))
    fi
    rm -rf "fresh-$tries"
done
tap_check "there were $kills_wanted kills" test $kills -eq $kills_wanted
echo "# $kept of them left finished tasks behind"

# In one folder, again and again.
for _ in 1 2 3 4 5 6; do
    next_random
    kill_one again $((draw * duration / 2000))
done
tap_check "killed six times in a row, then finished: the same results" same_as_whole again

# An interrupt ends it in good order.
interrupted()
{
    "$arenabench" sweep tiny.cfg --output polite --jobs 2 >/dev/null 2>err &
    sweep=$!
    pause $((duration < 900 ? duration / 3 : 300))
    kill -TERM $sweep 2>/dev/null
    wait $sweep
    status=$?
    [ $status -eq 0 ] || [ $status -eq 143 ] || {
        echo "exit status $status"
        return 1
    }
    same_as_whole polite
}
tap_check "an interrupted one too" interrupted
tap_done
