#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What may happen to a results folder while a sweep fills it: it is removed, renamed, made read-only,
# another sweep begins in it, reports are made of it, and the time of day jumps.
# shellcheck disable=SC2154,SC2317 # tap.sh sets tap_scratch; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

build=$(cd "${top_builddir:?}" && pwd)
clock=$(cd "$top_srcdir/tests/harness/sweep" && pwd)/jumping_clock.c
arenabench=$build/arenabench
rounds=4
tap_whole || rounds=2

planner_experiment tiny '"naive", "greedy-by-size", "branch-and-bound"' '"uniform:n={20,60},seed={1..20}"'

same_as_whole()
{
    stored_rows "$1" >got && same_rows whole.txt got
}

# begin FOLDER [COMMAND...]: begins a sweep, by the command in front of it, and stops it when something is
# recorded; again where it was done before that.
begin()
{
    folder=$1
    shift
    for _ in 1 2 3 4 5 6 7 8 9; do
        stopped_sweep "$folder" 40 "$@" && return
        kill -CONT $pid 2>/dev/null
        wait $pid
    done
}

# ends STATUS MESSAGE: so does the sweep.
ends()
{
    wait $pid
    status=$?
    [ $status -eq "$1" ] && grep -q -e "$2" err || {
        echo "exit status $status, expected $1 and: $2"
        cat out err
        return 1
    }
}

tap_check "a sweep" sweep whole
stored_rows whole >whole.txt
tap_check "has all its tasks" test "$(grep -c '^task|' whole.txt)" -eq 120

# --- gone ---

begin gone
rm -rf gone
kill -CONT $pid
tap_check "its folder is removed: it says so" ends 1 'gone/results.db: was removed or renamed while it was written'
tap_check "... and does not make it again" test ! -e gone
begin there
mv there moved
mkdir there
echo another >there/results.db-wal
kill -CONT $pid
tap_check "its folder is renamed: it says so" ends 1 'there/results.db: was removed or renamed while it was written'
tap_check "... and leaves alone what has its name now" tap_same "$(cat there/*)" another
tap_check "another sweep goes on in the renamed one" sweep moved
tap_check "... with what it had" awk '$1 == "tiny" { good = $3 > 0 && $3 + $4 == 120 } END { exit !good }' out
tap_check "... to the same results" same_as_whole moved

# --- read-only ---

# Root may write everywhere, unless it is told otherwise.
modes=
[ "$(id -u)" -ne 0 ] || modes='setpriv --bounding-set -dac_override,-dac_read_search'
as_anybody()
{
    $modes "$@"
}

mkdir closed
chmod a-w closed
if as_anybody sh -c ': >closed/x' 2>/dev/null || ! as_anybody true 2>/dev/null; then
    tap_skip "nothing is read-only here"
else
    tap_check "a folder that can't be written to" tap_exits 2 as_anybody "$arenabench" \
        sweep tiny.cfg --output closed
    tap_check "... is named" grep -q 'closed/lock: Permission denied' err
    tap_check "nor can one be made in it" tap_exits 2 as_anybody "$arenabench" \
        sweep tiny.cfg --output closed/new
    tap_check "... which is said" grep -q 'the folder closed/new: Permission denied' err
    # shellcheck disable=SC2086 # several words
    begin late env $modes
    chmod a-w late
    kill -CONT $pid
    tap_check "one that is made read-only meanwhile: it says so" ends 1 'late/tiny.csv: Permission denied'
    tap_check "... there can be no report" tap_exits 2 as_anybody "$arenabench" report late --no-figures
    tap_check "... for that reason" grep -q 'report: late.*: Permission denied' err
    tap_check "... but a comparison" as_anybody "$arenabench" diff --same whole late
    chmod u+w late
    tap_check "... it goes on" sweep late
    tap_check "... to the same results" same_as_whole late
    cp -r whole shut
    chmod a-w shut shut/*
    tap_check "a sweep into a store that can only be read" tap_exits 2 as_anybody "$arenabench" \
        sweep tiny.cfg --output shut
    tap_check "... which is said" grep -q 'shut/lock: Permission denied' err
    tap_check "it can be compared" as_anybody "$arenabench" diff --same whole shut
    begin left
    kill_process $pid
    mkdir sealed
    cp left/results.db left/results.db-wal sealed
    chmod a-w sealed sealed/*
    tap_check "what a killed sweep has left can't be read where nothing can be written" tap_exits 2 \
        as_anybody "$arenabench" plans sealed
    tap_check "... which is said" grep -q 'sealed/results.db: a sweep is writing to it or was killed' err
    tap_check "whoever reads it elsewhere" "$arenabench" plans left
    tap_check "... leaves a plain file" tap_same "$(ls left)" "lock
results.db"
    chmod a-w left left/*
    tap_check "... which can be read everywhere" as_anybody "$arenabench" diff --same left left
    chmod -R u+w left sealed
    chmod -R u+w shut closed
fi

# --- several at once ---

# Four begin in a new folder at the same moment.
at_once()
{
    rm -rf once
    for i in 1 2 3 4; do
        (
            "$arenabench" sweep tiny.cfg --output once --jobs 1 >"out$i" 2>"err$i"
            echo $? >"status$i"
        ) &
    done
    wait
    done=0
    for i in 1 2 3 4; do
        case $(cat "status$i") in
            0) done=$((done + 1)) ;;
            2) grep -q 'another sweep is writing to once (process [0-9]*)' "err$i" || { cat "err$i"; return 1; } ;;
            *) cat "err$i"; return 1 ;;
        esac
    done
    [ $done -ge 1 ] && same_as_whole once
}
round=0
while [ $round -lt $rounds ]; do
    round=$((round + 1))
    tap_check "four sweeps at once: one of them fills the folder ($round)" at_once
done

# --- reports beside it ---

# Each is of one moment: runs are never fewer than in the one before.
reports_beside()
{
    begin beside
    before=0
    reports=0
    while kill -0 $pid 2>/dev/null; do
        "$arenabench" report beside --runs runs.csv >out2 2>err2 || { cat err2; return 1; }
        runs=$(sed 1d runs.csv | wc -l)
        [ "$runs" -ge "$before" ] || { echo "$runs after $before"; return 1; }
        before=$runs
        reports=$((reports + 1))
        kill -CONT $pid 2>/dev/null
    done
    wait $pid && [ $reports -gt 0 ] && same_as_whole beside
}
tap_check "reports beside a sweep" reports_beside

# --- the time of day ---

cc=${CC:-cc}
if $cc -I"$build" -shared -fPIC -o clock.so "$clock" -ldl 2>/dev/null; then
    preloaded=LD_PRELOAD=$tap_scratch/clock.so
    jumping()
    {
        env "$preloaded" ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0" "$@"
    }
    far_away()
    {
        now=$(date +%s)
        for _ in 1 2 3 4 5; do
            there=$(jumping date +%s)
            [ $((there - now)) -gt -100000 ] && [ $((there - now)) -lt 100000 ] || return 0
        done
        return 1
    }
    tap_check "the time of day jumps" far_away
    interrupted()
    {
        begin jumped env "$preloaded" ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"
        kill_process $pid
        jumping "$arenabench" sweep tiny.cfg --output jumped --jobs 2 >out 2>err || { cat err; return 1; }
        same_as_whole jumped
    }
    tap_check "a sweep is killed and goes on, whatever the time of day" interrupted
    tap_check "its time is that of the clock that goes on" awk \
        '$1 == "tiny" { good = $(NF - 1) >= 0 && $(NF - 1) < 600 } END { exit !good }' out
else
    tap_skip "there is no compiler"
fi
tap_done
