#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep whose workers are killed before anything is known, or stopped: the next one, or another worker,
# has the results of one that was left alone (kills.sh has other moments).
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

without_leak_checks
# Each worker is killed as soon as there is one, long before the bounds are known.
kill_all()
{
    while kill -0 "$1" 2>/dev/null; do
        for worker in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
            kill -KILL "$worker" 2>/dev/null
        done
        sleep 0.002
    done
}

no_bounds()
{
    "$arenabench" sweep 'random-dag:n=30000' --solvers naive,greedy-by-size --output none \
        --jobs 1 >out 2>err &
    sweep=$!
    kill_all $sweep
    wait $sweep
    status=$?
    [ $status -eq 1 ] && grep -q '2 tasks have no result, as bounds of the workload could not' err && return
    echo "exit status $status"
    cat out err
    return 1
}
tap_check "killed before the bounds are known: nothing is recorded" no_bounds
again()
{
    "$arenabench" sweep 'random-dag:n=30000' --solvers naive,greedy-by-size --output none --jobs 1 &&
        "$arenabench" sweep 'random-dag:n=30000' --solvers naive,greedy-by-size --output all \
            --jobs 1 || return 1
    timeless_columns none/adhoc.csv >got.csv
    timeless_columns all/adhoc.csv >want.csv
    same_rows want.csv got.csv
}
tap_check "and the next sweep has all of it" again

# A worker that is stopped keeps no limit: when the time of its task is over, another has its task.
{ echo 'BEGIN { top = 0 }' && cat "$top_srcdir/tests/support/stack.awk"; } >stack.awk
planner_experiment slow '"exec:slow=sleep 0.3; awk -f stack.awk"' '"uniform:n=6,seed={1..4}"'
sed -i 's/^time_limit_s = 0;/time_limit_s = 1;/' slow.cfg
stop_a_worker()
{
    tries=500
    while [ $tries -gt 0 ]; do
        for worker in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
            # At work: it has a child.
            [ -n "$(cat "/proc/$worker/task/$worker/children" 2>/dev/null)" ] || continue
            kill -STOP "$worker" && return
        done
        tries=$((tries - 1))
        sleep 0.01
    done
    return 1
}
sweep_with_stop()
{
    "$arenabench" sweep slow.cfg --output stopped --jobs 2 >out 2>err &
    sweep=$!
    stop_a_worker $sweep || return 1
    (sleep 60 && kill -KILL $sweep) & # what hangs for so long is at fault
    guard=$!
    wait $sweep
    status=$?
    kill $guard
    timeless_columns stopped/slow.csv >got.csv
    [ $status -eq 0 ] && same_rows want.csv got.csv
}
tap_check "a sweep with a limit" tap_exits 0 "$arenabench" sweep slow.cfg --output alone --jobs 2
timeless_columns alone/slow.csv >want.csv
tap_check "... whose worker is stopped has the same results" sweep_with_stop
tap_done
