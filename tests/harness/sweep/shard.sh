#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sweep --shard: a dry run shows a shard's tasks, a sweep runs these and no others, and goes on with
# them; where no folder is named, each shard has its own.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

ARENABENCH_DATA=
export ARENABENCH_DATA

planner_experiment tiny '"naive", "greedy-by-size", "path-cover"' '"uniform:n={5,6},seed={1..5}"'

# The tasks that a dry run shows, without their states.
tasks()
{
    "$arenabench" sweep tiny.cfg --dry-run --output nowhere --format csv "$@" |
        sed '1d; s/,[^,]*$//'
}

stored()
{
    sqlite3 "$1/results.db" "$2"
}

all_of_them()
{
    for i in 1 2 3 4; do
        tasks --shard $i/4
    done | sort >parts
    test "$(wc -l <parts)" -eq 30 && tasks | sort | cmp - parts
}

# Each has a fair share of each planner's 10 tasks.
fair()
{
    for i in 1 2 3 4; do
        tasks --shard $i/4 | awk -F, -v i=$i '{ n[$(NF - 2)]++ } END {
            for (c in n) { all += n[c]; if (n[c] < 1 || n[c] > 4) exit 1 }
            exit all < 7 || all > 8 }' || {
            echo "shard $i:"
            tasks --shard $i/4
            return 1
        }
    done
}

# The store has the shard's tasks, and its experiment all of them.
only_these()
{
    tap_same "$(stored "$1" "select tasks, (select count(*) from task), (select count(*) from
        experiment_task), (select group_concat(value) from provenance where name = 'shard')
        from experiment")" "30|$2|$2|$3"
}

goes_on()
{
    sweep two --shard 2/4 && tap_same "$(awk '$1 == "tiny" { print $2, $3, $4 }' out)" "$1 $1 0" &&
        grep -q 'nothing left to do' out
}

more=$(tasks --shard 2/4 | wc -l)
tap_check "four shards are all tasks, each once" all_of_them
tap_check "... evenly" fair
tap_check "a dry run writes nothing" test ! -e nowhere
tap_check "a sweep of a shard" sweep two --shard 2/4
tap_check "... has its tasks" tap_same "$(awk '$1 == "tiny" { print $2, $3, $4 }' out)" "$more 0 $more"
if command -v sqlite3 >/dev/null; then
    tap_check "... and no others, and says which shard it is" only_these two "$more" 2/4
else
    tap_skip "sqlite3 is not here"
fi
tap_check "it goes on where it stopped: nowhere" goes_on "$more"
tap_check "another shard into the same folder" sweep two --shard 3/4
tap_check "... has its own tasks to do" tap_same "$(awk '$1 == "tiny" { print $3 }' out)" 0
both=$((more + $(tasks --shard 3/4 | wc -l)))
if command -v sqlite3 >/dev/null; then
    tap_check "... beside those that were there" only_these two $both 2/4,3/4
else
    tap_skip "sqlite3 is not here"
fi
tap_check "what is forced is of the shard" tap_exits 0 "$arenabench" sweep tiny.cfg --shard 2/4 \
    --output two --force
tap_check "... all of it" tap_same "$(awk '$1 == "tiny" { print $2, $3, $4 }' out)" "$more 0 $more"
tap_check "... and nothing is lost of the other" sweep two --shard 3/4
tap_check "... which has nothing to do" grep -q 'nothing left to do' out
tap_check "the whole sweep goes on with what is missing" \
    tap_exits 0 "$arenabench" sweep tiny.cfg --output two
tap_check "... and only that" tap_same "$(awk '$1 == "tiny" { print $2, $3, $4 }' out)" \
    "30 $both $((30 - both))"
tap_check "a shard without an output" tap_exits 0 "$arenabench" sweep tiny.cfg --shard 1/30
tap_check "... has a folder of its own" test -e results/tiny-1-of-30/results.db
tap_check "more shards than tasks" tap_exits 0 "$arenabench" sweep tiny.cfg --shard 40/40 --output none
for bad in 0/2 3/2 2 a/b 1/; do
    tap_check "--shard $bad is refused" tap_exits 2 "$arenabench" sweep tiny.cfg --shard $bad --output no
    tap_check "... with what is expected" grep -q "expected I/N" err
done
tap_check "... and nothing is made" test ! -e no
tap_done
