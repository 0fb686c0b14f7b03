#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps of planners with networks that run, and of kernels, of which the whole process and its workers
# are killed at random moments, or interrupted, and which are begun again until they are done: the store
# and the CSV file say what those of a sweep say that was left alone.  KILLS=1000 for as many of them, SEED=N for other moments (make
# check-kills); otherwise a few.
# shellcheck disable=SC2154,SC2317 # tap.sh sets tap_scratch; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

without_leak_checks
kills=${KILLS:-10}
tap_whole || kills=${KILLS:-6}

planner_experiment plans '"naive", "greedy-by-size", "branch-and-bound"' \
    '"uniform:n={20,40},seed={1..4}", "random-dag:n={60,90},seed={1,2}"'
# Bounds take as long as the solvers, so that both are hit.
planner_experiment dags '"naive", "greedy-by-size"' '"random-dag:n={300,600},seed={1,2}"'
run_experiment runs '"squeezenet1_1:size=64,fuse=all"' '"naive", "greedy-by-size"' '"mgemm"'
kernel_experiment kernels generic '"c=8,h=9,w=9,k=8,r=3,s=3,pad=1", "c=8,h=9,w=9,k=16,r=1,s=1"' \
    '"mgemm:co={1,2}v,wo=3", "im2col-openblas"'

random=${SEED:-20261123}

begin()
{
    # shellcheck disable=SC2086 # several files
    "$arenabench" sweep $experiments --output "$1" --jobs 2 >out 2>err &
    sweep=$!
}

# Kills a worker, which is a child with a group of its own: that of a process that times kernels, or
# of a planner, is a result.
kill_worker()
{
    for child in $(cat "/proc/$sweep/task/$sweep/children" 2>/dev/null); do
        next_random
        [ $((draw % 2)) -eq 0 ] || continue
        [ "$(ps -o pgid= -p "$child" | tr -d ' ')" = "$child" ] || continue
        kill -KILL "$child" 2>/dev/null && workers=$((workers + 1))
        return
    done
}

# Twice at most, as a task at which three died is given up.
kill_workers()
{
    for _ in 1 2; do
        next_random
        [ $((draw % 3)) -gt 0 ] || break
        next_random
        pause $((draw * duration / 3000))
        kill_worker
    done
}

# One sweep into $1 that is killed or interrupted, unless it ends before; its workers before it.
# Succeeds when it was running.
kill_one()
{
    begin "$1"
    kill_workers
    next_random
    pause $((draw * duration / 1000))
    next_random
    if [ $((draw % 3)) -eq 0 ]; then
        kill -TERM $sweep 2>/dev/null
        { wait $sweep; } 2>/dev/null
        [ $? -eq 143 ] || return
    else
        kill_process $sweep
        [ $? -eq 137 ] || return
    fi
    sweeps=$((sweeps + 1))
}

# The sweep into $1 is killed again and again, now and then after more time, and then ends.
survives()
{
    again=1
    while [ $again -eq 1 ]; do
        again=0
        kill_one "$1" && next_random && [ $((draw % 3)) -gt 0 ] && again=1
    done
    begin "$1"
    kill_workers
    finish "$1" got && same_rows "$whole.txt" got && same_rows "$whole.csv" got.csv
}

# finish FOLDER NAME: waits for the sweep, which has done all that had not been done, and leaves what its
# store and its CSV files say.
finish()
{
    wait $sweep && awk '$2 ~ /^[0-9]+$/ && $2 != $3 + $4 { exit 1 }' out || { cat out err; return 1; }
    for name in plans dags; do
        [ ! -e "$1/$name.csv" ] || timeless_columns "$1/$name.csv"
    done >"${2%.txt}.csv"
    stored_rows "$1" >"$2"
}

left_alone()
{
    before=$(date +%s%N)
    begin "$whole"
    finish "$whole" "$whole.txt" && duration=$((($(date +%s%N) - before) / 1000000 + 20))
}

# killed KILLS TEXT EXPERIMENT...: so many kills in sweeps of these.
killed()
{
    wanted=$1
    text=$2
    shift 2
    experiments=$*
    whole=whole-$1
    sweeps=0
    workers=0
    tries=0
    tap_check "$text: a sweep that is left alone" left_alone
    while [ $((sweeps + workers)) -lt "$wanted" ] && [ $tries -lt $((wanted * 10)) ]; do
        tries=$((tries + 1))
        tap_check "$text: killed and finished, the same ($tries)" survives "folder-$tries"
        rm -rf "folder-$tries"
    done
    echo "# $sweeps sweeps and $workers workers were killed"
    tap_check "$text: there were $wanted kills" test $((sweeps + workers)) -ge "$wanted"
}

# rows KIND NUMBER: so many.
rows()
{
    tap_same "$(grep -c "^$1|" "$whole.txt")" "$2"
}

killed "$kills" "planners and networks" plans.cfg dags.cfg runs.cfg
tap_check "of all planners" rows plan 44
tap_check "and networks" rows execution 2
if [ "$kills" -ge 10 ]; then
    killed $((kills / 10)) kernels kernels.cfg
    tap_check "of all kernels" rows conv 6
    tap_check "with finals" rows final 2
fi
tap_done
