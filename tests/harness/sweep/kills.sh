#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps of planners with networks that run, and of kernels, of which the whole process and its workers
# are killed at random moments and which are begun again until they are done: the store says what that of
# a sweep says that was left alone.  KILLS=1000 for as many of them, SEED=N for other moments (make
# check-kills); otherwise a few.
# shellcheck disable=SC2154,SC2317 # tap.sh sets tap_scratch; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

arenabench=$(cd "${top_builddir:?}" && pwd)/arenabench
cd "$tap_scratch" || exit 99
without_leak_checks
kills=${KILLS:-10}
tap_whole || kills=${KILLS:-3}

planner_experiment plans '"naive", "greedy-by-size", "branch-and-bound"' \
    '"uniform:n={20,40},seed={1..4}", "random-dag:n={60,90},seed={1,2}"'
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

# One sweep into $1 that is killed, unless it ends before; its workers before it, twice at most, as
# a task at which three died is given up.  Succeeds when it was running.
kill_one()
{
    begin "$1"
    for _ in 1 2; do
        next_random
        [ $((draw % 3)) -gt 0 ] || break
        next_random
        pause $((draw * duration / 3000))
        kill_worker
    done
    next_random
    pause $((draw * duration / 1000))
    kill_process $sweep
    [ $? -eq 137 ] && sweeps=$((sweeps + 1))
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
    wait $sweep || { cat out err; return 1; }
    stored_rows "$1" >got && same_rows "$whole.txt" got
}

left_alone()
{
    before=$(date +%s%N)
    begin "$whole"
    wait $sweep || { cat out err; return 1; }
    duration=$((($(date +%s%N) - before) / 1000000 + 20))
    stored_rows "$whole" >"$whole.txt"
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

killed "$kills" "planners and networks" plans.cfg runs.cfg
tap_check "of all planners" rows plan 36
tap_check "and networks" rows execution 2
if [ "$kills" -ge 10 ]; then
    killed $((kills / 10)) kernels kernels.cfg
    tap_check "of all kernels" rows conv 6
    tap_check "with finals" rows final 2
fi
tap_done
