#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# merge: shards, one of them killed and resumed, come to what one machine finds; gaps are told and a
# sweep fills them; other definitions, and plans that are wrong, are refused; a merge that is killed
# leaves no results behind.
# shellcheck disable=SC2154,SC2317 # tap.sh sets tap_scratch; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

ARENABENCH_DATA=
export ARENABENCH_DATA

planner_experiment tiny '"naive", "greedy-by-size", "path-cover", "tvm-hill-climb"' \
    '"uniform:n={6,20},seed={1..8}", "random-dag:n=12,seed={1..4}"' 'work_limit = 200;'
sed 's/work_limit = 200/work_limit = 300/' tiny.cfg >other.cfg

# The sweep finds nothing to do, and writes the CSV file of one machine's.
same_as_one()
{
    sweep "$1" && tap_says out 'nothing left to do' || return 1
    timeless_columns "$1/tiny.csv" >got.csv
    same_rows one.txt got.csv
}

# Killed as soon as it has recorded something.
killed()
{
    "$arenabench" sweep tiny.cfg --jobs 1 --output "$@" >/dev/null 2>&1 &
    pid=$!
    tries=0
    while [ ! -e "$1/results.db-wal" ] && kill -0 $pid 2>/dev/null && [ $tries -lt 6000 ]; do
        sleep 0.01
        tries=$((tries + 1))
    done
    sleep 0.02
    kill_process $pid
    [ -e "$1/results.db" ]
}

tap_check "one machine" sweep one
timeless_columns one/tiny.csv >one.txt
tap_check "... has 80 tasks" test "$(wc -l <one.txt)" -eq 81
tap_check "a shard" sweep s1 --shard 1/3
tap_check "another one, that is killed" killed s2 --shard 2/3
tap_check "... and goes on" sweep s2 --shard 2/3
tap_check "the third" sweep s3 --shard 3/3

tap_check "they are one sweep" exits 0 merge all s3 s1 s2
tap_check "... of these shards" tap_says out '1-3/3'
tap_check "... with nothing to tell" tap_same "$(cat err)" ""
tap_check "... and with the results of one machine" same_as_one all
tap_check "... from which there is a report" exits 0 report all --runs runs.csv
tap_check "... with the same runs" exits 0 diff one runs.csv

tap_check "two of them" exits 1 merge two s1 s3
tap_check "... and no shard between them" tap_says out '1/3, 3/3'
tap_check "... have gaps" tap_says err 'tiny \(quick\): nobody ran the tasks [0-9]'
tap_check "... which a sweep knows" exits 0 sweep tiny.cfg --output two --dry-run --format csv
tap_check "... as many as the missing shard has" tap_same "$(grep -c 'to do$' out)" \
    "$("$arenabench" sweep tiny.cfg --dry-run --output none --shard 2/3 --format csv | grep -c 'to do$')"
tap_check "... and fills" sweep two
tap_check "... with the results of one machine" same_as_one two

tap_check "a shard of another sweep" exits 0 sweep other.cfg --shard 2/3 --output o2
tap_check "... is refused" exits 2 merge mixed s1 o2 s3
tap_check "... as its tasks are others" tap_says err 'definition: tiny \(quick\): .* have others: tasks_checksum'
tap_check "... and nothing is made" test ! -e mixed
tap_check "... but for who asks for it" exits 1 merge mixed s1 o2 s3 --newest
tap_check "into what is there" exits 2 merge all s1
tap_check "... is refused" tap_says err 'all: there is something already; expected a new or an empty folder'
tap_check "of nothing" exits 2 merge new
tap_check "of a folder without results" exits 2 merge new s1 .
tap_check "... is refused" tap_says err './results.db: No such file'
printf 'no database' >bad
mkdir damaged
cp bad damaged/results.db
tap_check "of something else" exits 2 merge new s1 damaged
tap_check "... is refused" tap_says err 'results.db'
tap_check "nothing is left beside" tap_same "$(ls -d new* mixed.* all.* 2>/dev/null)" ""

# Files that may not grow beyond 32 KiB stand for a disk that is full.
full()
{
    sh -c 'trap "" XFSZ && ulimit -f 64 && exec "$@"' sh "$arenabench" merge new s1 s2 s3
}
tap_check "what can't be written" tap_exits 1 full
tap_check "... is said" tap_says err '^arenabench: merge: new.*results.db: '
tap_check "... and nothing is left" tap_same "$(ls -d new* 2>/dev/null)" ""

# Whole or absent, whenever it is killed.
cut()
{
    whole=0
    absent=0
    for ms in 1 4 8 12 16 20 25 30 40 60 90; do
        rm -rf cut
        "$arenabench" merge cut s1 s2 s3 >/dev/null 2>&1 &
        pid=$!
        sleep "$(printf '0.%03d' $ms)"
        kill_process $pid
        if [ -e cut ]; then
            whole=$((whole + 1))
            exits 0 sweep tiny.cfg --output cut --dry-run || return 1
            ! grep -q 'to do' out || return 1
        else
            absent=$((absent + 1))
        fi
    done
    echo "$whole whole, $absent absent"
    [ $absent -gt 0 ]
}
tap_check "a merge that is killed leaves all or nothing" cut

if command -v sqlite3 >/dev/null; then
    # The shard in which a plan of two buffers that meet lies at zero.
    task=$(sqlite3 s1/results.db "select t.id from task t join plan p on p.task = t.id join workload w
        on w.id = t.workload where t.contestant = 'naive' and w.n = 20 order by t.id limit 1")
    zeros="update plan set row_checksum = null, offsets = offsets_pack(zeroblob(8 * offsets_count(offsets_unpack(offsets, base))))
        where task = $task"
    wrong='plan: plan uniform.*, of .*: buffers .* overlap at step'
    cp -r s1 zeroed
    "${arenabench%/*}/tests/harness/store/stored" zeroed "$zeros"
    tap_check "a shard with a wrong plan" exits 2 merge new zeroed s2 s3
    tap_check "... is refused" tap_says err "plan: plan uniform.*, of zeroed: buffers .* overlap at step"
    tap_check "... and nothing is made" tap_says err '1 conflict: nothing is made$'
    tap_check "... and its row named, which has no checksum" \
        tap_says err "merge: zeroed: 1 row of plan without a checksum: plan task $task\$"
    tap_check "... also by who wants the newest" exits 2 merge new zeroed s2 s3 --newest
    tap_check "... is refused" tap_says err "$wrong"
    tap_check "but for who wants no judge" exits 0 merge new zeroed s2 s3 --unjudged
    tap_check "... in whose store verify finds it" exits 1 verify new
    rm -r new
    for first in s1 zeroed; do
        second=$(echo s1zeroed | sed "s/$first//")
        tap_check "with the shard that it was, $first first" exits 2 merge new $first $second s2 s3
        tap_check "... is refused" tap_says err "result: plan uniform.*; in $second .*; they differ in: offsets\$"
    done
    # As a later run would have it, that a limit cut.
    for shard in s1 zeroed; do
        sqlite3 $shard/results.db "update task set row_checksum = null, timed = 1 where id = $task"
    done
    sqlite3 zeroed/results.db "update task set finished = '2999-01-01T00:00:00Z' where id = $task"
    for order in 's1 zeroed' 'zeroed s1'; do
        # shellcheck disable=SC2086 # two folders
        tap_check "a later plan that is wrong: $order" exits 2 merge new $order s2 s3
        tap_check "... does not take the good one's place" tap_says err "$wrong"
    done
    sqlite3 s1/results.db "update task set finished = '2999-01-02T00:00:00Z' where id = $task"
    tap_check "a later plan that is good" exits 0 merge new s1 zeroed s2 s3
    tap_check "... does" exits 1 verify new
    tap_check "... as all plans are right" tap_says out ' right, 0 wrong;'
    rm -r new
    sqlite3 s2/results.db "update workload set row_checksum = null, checksum = '0123456789abcdef' where id = 1"
    tap_check "instances that are others now" exits 1 merge new s2
    tap_check "... are told" tap_says err \
        'merge: [1-9][0-9]* plans were not judged, as their instances are not here; the last: .* is no longer'
    rm -r new
else
    tap_skip "sqlite3 is not here"
fi
tap_done
