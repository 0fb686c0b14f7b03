#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A store with a damaged page, or without its end: every command that opens it says so, rescue saves what can be read,
# and a sweep into that ends with the results of one that was never damaged.
# shellcheck disable=SC2154,SC2317 # tap.sh sets tap_scratch; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

planner_experiment tiny '"naive", "greedy-by-size"' '"uniform:n={80,160,320},seed={1..20}"'

refused()
{
    tap_exits 2 "$@" && tap_says err "results.db: damaged: .*; 'arenabench rescue .* --output NEW' saves"
}

says_nothing_of()
{
    ! grep -q "$1" err
}

tap_check "a sweep" sweep whole
timeless_columns whole/tiny.csv >whole.txt
cp -r whole damaged
# Some pages in the middle: of tasks and of their plans.
pages=$(($(wc -c <damaged/results.db) / 4096))
dd if=/dev/zero of=damaged/results.db bs=4096 seek=$((pages * 3 / 5)) count=$((pages / 8)) conv=notrunc 2>/dev/null
cp damaged/results.db before.db

tap_check "a damaged store: report" refused "$arenabench" report damaged
tap_check "a damaged store: plans" refused "$arenabench" plans damaged
tap_check "a damaged store: diff" refused "$arenabench" diff damaged whole
tap_check "a damaged store: sweep" refused "$arenabench" sweep tiny.cfg --output damaged
tap_check "... and nothing is changed" cmp before.db damaged/results.db

tap_check "rescue wants a folder" tap_exits 2 "$arenabench" rescue damaged
tap_check "... that has no results" tap_exits 2 "$arenabench" rescue damaged --output whole
tap_check "... which it says" tap_says err 'whole/results.db: there are results already'
tap_check "rescue of what is not there" tap_exits 2 "$arenabench" rescue nowhere --output new
tap_check "... leaves nothing" test ! -e new
tap_check "rescue of a damaged store says that something is lost" \
    tap_exits 1 "$arenabench" rescue damaged --output saved
tap_check "... what" tap_says err 'rescue: tasks left out, as not all of them is there: [1-9]'
tap_check "... and what is not" awk '$1 == "task" { good = $2 > 30 && $2 < 120 } END { exit !good }' out
tap_check "the old one stays as it is" cmp before.db damaged/results.db
tap_check "a sweep goes on with it" sweep saved
timeless_columns saved/tiny.csv >saved.txt
tap_check "... to the same results" cmp whole.txt saved.txt

# Its last pages are those of all tables, so the improvements of some plans are gone.
cp -r whole cut
dd if=whole/results.db of=cut/results.db bs=4096 count=$((pages * 17 / 20)) 2>/dev/null
tap_check "a store that has lost its end" refused "$arenabench" report cut
tap_check "... is rescued" tap_exits 1 "$arenabench" rescue cut --output begun
tap_check "... with most of what it has" awk '$1 == "task" { good = $2 > 40 && $2 < 120 } END { exit !good }' out
tap_check "... and a report reads it" "$arenabench" report --no-figures begun
tap_check "... all of its plans being right" tap_exits 0 "$arenabench" verify begun
tap_check "or what is whole" tap_exits 1 "$arenabench" rescue cut --output kept --whole
tap_check "... with nothing in part" says_nothing_of 'plans without the improvements'
tap_check "... and a sweep goes on with it" sweep kept
timeless_columns kept/tiny.csv >kept.txt
tap_check "... to the same results" cmp whole.txt kept.txt

tap_check "rescue of a whole store loses nothing" \
    tap_exits 0 "$arenabench" rescue whole --output copy
tap_check "... no task" grep -q '^task  *120$' out
tap_check "... and no plan" grep -q '^plan  *120$' out

if command -v sqlite3 >/dev/null; then
    cp -r whole wrong
    sqlite3 wrong/results.db "update task set outcome = 'banana', row_checksum = null where id = 1"
    tap_check "rescue leaves out what can't be" tap_exits 1 "$arenabench" rescue wrong --output left
    tap_check "... which it says" tap_says err "first is task id 1: outcome is 'banana', which can't be"
    sqlite3 wrong/results.db 'pragma user_version = 3'
    tap_check "rescue of another schema" tap_exits 2 "$arenabench" rescue wrong --output other
    tap_check "... is refused" tap_says err 'wrong/results.db: results of schema 3, this arenabench reads schema'

    # Its numbers can't all be asked for.
    cp -r whole far
    sqlite3 far/results.db 'update task set id = 1 << 40 where id = 120'
    dd if=/dev/zero of=far/results.db bs=4096 seek=$((pages / 2)) count=$((pages / 8)) conv=notrunc 2>/dev/null
    tap_check "a number that is damaged ends" \
        tap_exits 1 timeout 300 "$arenabench" rescue far --output near
    tap_check "... with what is there" awk '$1 == "task" { good = $2 > 30 } END { exit !good }' out
else
    tap_skip "sqlite3 is not here"
fi

printf 'no database, but as long as one: %4000s' x >damaged/results.db
tap_check "rescue of something else" tap_exits 2 "$arenabench" rescue damaged --output other
tap_check "... leaves nothing" test ! -e other/results.db
tap_done
