#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# merge: shards, one of them killed and resumed, come to what one machine finds; gaps are told and a
# sweep fills them; other definitions are refused; a merge that is killed leaves no results behind.
# shellcheck disable=SC2154,SC2317 # tap.sh sets tap_scratch; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

arenabench=$(cd "${top_builddir:?}" && pwd)/arenabench
cd "$tap_scratch" || exit 99
ARENABENCH_DATA=
export ARENABENCH_DATA

cat >tiny.cfg <<'END_OF_FILE'
name = "tiny";
title = "Tiny";
solvers = ("naive", "greedy-by-size", "path-cover", "tvm-hill-climb");
work_limit = 200;
time_limit_s = 0;
memory_limit_mib = 256;
budget_s = 5;
quick: { workloads = ("uniform:n={6,20},seed={1..8}", "random-dag:n=12,seed={1..4}"); };
full: { workloads = ("uniform:n=7,seed={1..4}"); };
END_OF_FILE
sed 's/work_limit = 200/work_limit = 300/' tiny.cfg >other.cfg

sweep()
{
    tap_exits 0 "$arenabench" sweep tiny.cfg --jobs 2 --output "$@"
}

# The columns that do not depend on the clock; labels hold commas, so they are counted from the end.
results()
{
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(time_s|cpu_s|rss_bytes)$/) skip[NF - i] }
             { for (i = 1; i <= NF; i++) if (!((NF - i) in skip)) printf "%s,", $i; print "" }' "$1"
}

says()
{
    grep -q -- "$1" "${2-err}" || {
        cat "${2-err}"
        return 1
    }
}

# The sweep finds nothing to do, and writes the CSV file of one machine's.
same_as_one()
{
    sweep "$1" && says 'nothing left to do' out || return 1
    results "$1/tiny.csv" >got.csv
    cmp one.txt got.csv || {
        diff one.txt got.csv | head -n 6
        return 1
    }
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
    kill -KILL $pid 2>/dev/null
    { wait $pid; } 2>/dev/null
    [ -e "$1/results.db" ]
}

merge()
{
    wanted=$1
    shift
    tap_exits "$wanted" "$arenabench" merge "$@"
}

tap_check "one machine" sweep one
results one/tiny.csv >one.txt
tap_check "... has 80 tasks" test "$(wc -l <one.txt)" -eq 81
tap_check "a shard" sweep s1 --shard 1/3
tap_check "another one, that is killed" killed s2 --shard 2/3
tap_check "... and goes on" sweep s2 --shard 2/3
tap_check "the third" sweep s3 --shard 3/3

tap_check "they are one sweep" merge 0 all s3 s1 s2
tap_check "... of these shards" says '1/3, 2/3, 3/3' out
tap_check "... with nothing to tell" tap_same "$(cat err)" ""
tap_check "... and with the results of one machine" same_as_one all
tap_check "... from which there is a report" tap_exits 0 "$arenabench" report all --runs runs.csv
tap_check "... with the same runs" tap_exits 0 "$arenabench" diff one runs.csv

tap_check "two of them" merge 1 two s1 s3
tap_check "... have gaps" says 'tiny (quick): nobody ran the tasks [0-9]'
tap_check "... which a sweep knows" tap_exits 0 "$arenabench" sweep tiny.cfg --output two --dry-run --format csv
tap_check "... as many as the missing shard has" tap_same "$(grep -c 'to do$' out)" \
    "$("$arenabench" sweep tiny.cfg --dry-run --output none --shard 2/3 --format csv | grep -c 'to do$')"
tap_check "... and fills" sweep two
tap_check "... with the results of one machine" same_as_one two

tap_check "a shard of another sweep" tap_exits 0 "$arenabench" sweep other.cfg --shard 2/3 --output o2
tap_check "... is refused" merge 2 mixed s1 o2 s3
tap_check "... as its tasks are others" says 'definition: tiny (quick): .* have others: tasks_checksum'
tap_check "... and nothing is made" test ! -e mixed
tap_check "... but for who asks for it" merge 1 mixed s1 o2 s3 --newest
tap_check "into what is there" merge 2 all s1
tap_check "... is refused" says 'all: there is something already; expected a new or an empty folder'
tap_check "of nothing" merge 2 new
tap_check "of a folder without results" merge 2 new s1 .
tap_check "... is refused" says './results.db: No such file'
printf 'no database' >bad
mkdir damaged
cp bad damaged/results.db
tap_check "of something else" merge 2 new s1 damaged
tap_check "... is refused" says 'results.db'
tap_check "nothing is left beside" tap_same "$(ls -d new* mixed.* all.* 2>/dev/null)" ""

# Files that may not grow beyond 32 KiB stand for a disk that is full.
full()
{
    sh -c 'trap "" XFSZ && ulimit -f 64 && exec "$@"' sh "$arenabench" merge new s1 s2 s3
}
tap_check "what can't be written" tap_exits 1 full
tap_check "... is said" says '^arenabench: merge: new.*results.db: '
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
        kill -KILL $pid 2>/dev/null
        { wait $pid; } 2>/dev/null
        if [ -e cut ]; then
            whole=$((whole + 1))
            tap_exits 0 "$arenabench" sweep tiny.cfg --output cut --dry-run || return 1
            ! grep -q 'to do' out || return 1
        else
            absent=$((absent + 1))
        fi
    done
    echo "$whole whole, $absent absent"
    [ $absent -gt 0 ]
}
tap_check "a merge that is killed leaves all or nothing" cut
tap_done
