#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps of planners for several memories: what is recorded is what the command `fit` says, what is
# done is not done again, and what is wrong in the file is said with its line.
# shellcheck disable=SC2016,SC2317 # awk programs; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

cat >three.csv <<'END'
id,lower,upper,size,reads,writes
a,0,2,6,60,6
b,1,3,6,6,6
c,2,4,8,8,8
END
cat >tiny.cfg <<'END'
name = "tiny";
title = "Several memories";
kind = "fit";
solvers = ("by-saving", "executorch", "tvm-size:upstream=on", "moves", "benders");
memories = ("fast={50,100}%, read=1, write=1; slow, read=10, write=10", "fast=6; slow=2");
time_limit_s = 10;
budget_s = 5;
quick: {
    workloads = ("three.csv", "squeezenet1_1:size=64");
};
END

# stored PLANNER MEMORIES: cost and bound of the three buffers; MEMORIES have semicolons for commas.
stored()
{
    csv_rows results/tiny.csv '$at["workload"] == "three.csv" && $at["planner"] == "'"$1"'" &&
        $at["memories"] == "'"$2"'" {
            print $at["capacity"], $at["outcome"], $at["cost"], $at["lower_bound"] }'
}

tap_check "a sweep" sweep results
tap_check "has a row for each planner, instance and set of memories" tap_same \
    "$(sed 1d results/tiny.csv | wc -l | tr -d ' ')" 30
tap_check "a capacity in per cent is one of the load" tap_same \
    "$(stored benders 'fast=50%;read=1;write=1;slow;read=10;write=10')" "7 optimal 346 346"
tap_check "all of it takes all" tap_same \
    "$(stored by-saving 'fast=100%;read=1;write=1;slow;read=10;write=10')" "14 feasible 94 "
tap_check "with moves it costs no more" tap_same \
    "$(stored moves 'fast=50%;read=1;write=1;slow;read=10;write=10')" "7 optimal 346 346"
tap_check "as the command says" tap_same \
    "$("$arenabench" fit three.csv --memory fast=50%,read=1,write=1 --memory slow,read=10,write=10 --format csv |
        sed -n 's/^all,,3,,74,20,//p')" "346,346,optimal"
tap_check "without costs a byte costs 1 outside, and what does not fit is skipped" tap_same \
    "$(stored benders 'fast=6;slow=2')" "6 skipped  "
tap_check "with the reason" grep -q "buffer 'c' of 8 bytes is larger than each memory" results/tiny.csv
tap_check "a second sweep has nothing to do" sh -c \
    "'$arenabench' sweep tiny.cfg --output results 2>&1 | grep -q '^tiny  *30  *30  *0 '"
tap_check "the report has its figures" tap_exits 0 "$arenabench" report results
tap_check "of traffic" test -s results/figures/tiny-memories.csv
tap_check "and of gaps" test -s results/figures/tiny-memories-gap.csv
tap_check "and the table" grep -q '^50%,benders,2,0.00 %,0.00 %,' results/tables/tiny-memories.csv
tap_check "what moves save has a table of its own" grep -q '^50%,2,' results/tables/tiny-memories-moves.csv
tap_check "another store" sweep others
tap_check "is merged" tap_exits 0 "$arenabench" merge both results others
if command -v sqlite3 >/dev/null; then
    tap_check "with all that belongs to a task" tap_same \
        "$(sqlite3 both/results.db 'select count(*) from split')" 30
else
    tap_skip 1 "sqlite3 is not here"
fi
tap_check "a rerun of all comes to the same" tap_exits 0 "$arenabench" rerun results --sample 1
if command -v sqlite3 >/dev/null; then
    cp -r results changed
    sqlite3 changed/results.db "update split set row_checksum = null, cost = cost + 1 where cost = 346"
    tap_check "and sees what is not" tap_exits 1 "$arenabench" rerun changed --sample 1
    tap_check "which it says" has cost out
else
    tap_skip 2 "sqlite3 is not here"
fi

# refused OLD NEW MESSAGE: the experiment with NEW in place of OLD.
refused()
{
    sed "s/$1/$2/" tiny.cfg >bad.cfg
    exits 2 sweep bad.cfg --output bad && has "$3" err
}
tap_check "an unknown planner" refused benders bender "bad.cfg:4: unknown planner for several memories 'bender'"
tap_check "a memory that is none" refused 'slow=2' 'slow=x' "bad.cfg:5: memory 'slow=x': the capacity 'x'"
tap_check "two of one name" refused 'slow=2' 'fast=2' "there is a memory 'fast' already"
tap_check "without memories" refused '^memories.*' '' "'memories' is missing"
tap_done
