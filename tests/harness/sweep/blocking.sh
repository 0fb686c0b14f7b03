#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps of kernels: what is recorded, that an interrupted one goes on, what its
# CSV file says.
# shellcheck disable=SC2016,SC2317 # awk programs; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

kernel_experiment tiny generic '"c=8,h=9,w=9,k=8,r=3,s=3,pad=1", "c=8,h=9,w=9,k=16,r=1,s=1",
    "c=8,h=9,w=9,k=8,r=3,s=3,pad=1,groups=8"' \
    '"mgemm:co={1,2}v,wo={2..4},hfil={inside,outside}", "mgemm", "mgemm:rank={1,900}",
    "im2col-openblas", "libxsmm"'

# column NAME FILTER: that column of the rows in which awk's FILTER holds.
column()
{
    csv_rows results/tiny.csv "$2 { print \$at[\"$1\"] }"
}

tap_check "nothing is written by a dry run" sh -c \
    "'$arenabench' sweep tiny.cfg --output results --dry-run >out && [ ! -e results ]"
tasks=$(grep -c 'to do' out)
tap_check "settings that come to the same are one task" awk "BEGIN { exit !($tasks < 40) }"
tap_check "a sweep" sweep results
tap_check "has a row a task" tap_same "$(sed 1d results/tiny.csv | wc -l | tr -d ' ')" "$tasks"
tap_check "most are measured" awk \
    "BEGIN { exit !($(column outcome '$at["outcome"] == "measured"' | wc -l) > 20) }"
tap_check "nothing failed" tap_same "$(column outcome \
    '$at["outcome"] != "measured" && $at["outcome"] != "skipped"')" ""
tap_check "what was skipped has a reason" tap_same "$(column kernel \
    '$at["outcome"] == "skipped" && $at["reason"] == ""')" ""
tap_check "with rates, intervals and rounds" tap_same "$(column kernel \
    '$at["outcome"] == "measured" && ($at["gflops"] <= 0 || $at["low_s"] > $at["time_s"] ||
     $at["high_s"] < $at["time_s"] || $at["rounds"] != 6 || $at["reference_s"] <= 0)')" ""
tap_check "settings have what the models say" tap_same "$(column kernel \
    '$at["role"] == "setting" && ($at["model_m"] <= 0 || $at["predicted_s"] <= 0)')" ""
tap_check "a rank beyond the last is skipped" grep -q 'ranks only' results/tiny.csv
tap_check "finals of all three layers" awk \
    "BEGIN { exit !($(column final_s '$at["final_s"] > 0' | wc -l) >= 3 * 3) }"
tap_check "libxsmm lacks this instruction set, or is not there" awk \
    "BEGIN { exit !($(column kernel '$at["kernel"] == "libxsmm" && $at["outcome"] == "skipped"' | wc -l) == 3) }"
# What made a setting that was chosen by its rank is also what ranks.
tuner=$(sed -n 's/.*&tuner_tune, "\(.*\)".*/\1/p' "$top_builddir/kernels/model/registry.c")
given='mgemm:co=[^ ]*( [a-z]+=[^ ]*){7} build=[0-9a-f]{16}'
if command -v sqlite3 >/dev/null; then
    sqlite3 results/results.db 'select key from task_key' >keys
    tap_check "a rank hangs on what ranks" grep -qE "mgemm:rank=1 .* build=[0-9a-f]{16}-$tuner" keys
    tap_check "what else a setting hangs on is found" grep -qE "$given" keys
    tap_check "which is not what ranks" tap_same "$(grep -cE "$given-" keys)" 0
else
    tap_skip "sqlite3 is not here"
fi
tap_check "a second sweep" sweep results
tap_check "has nothing to do" grep -q 'nothing left to do' out
tap_check "kernels are forced by a pattern" tap_same \
    "$("$arenabench" sweep tiny.cfg --output results --dry-run --force='mge?m' 2>/dev/null | grep -c ' forced$')" \
    "$(column kernel '$at["kernel"] == "mgemm"' | wc -l)"

# The report's tables of kernels, from tasks of any experiment.
tap_check "a report" "$arenabench" report --no-figures results
for table in blocking blocking-model blocking-cover; do
    tap_check "has the table $table" test -s "results/tables/$table.csv"
done
tap_check "with the settings of two layers" tap_same "$(sed 1d results/tables/blocking.csv |
    wc -l | tr -d ' ')" 2
tap_check "all covers are proven" tap_same "$(sed 1d results/tables/blocking-cover.csv |
    cut -d, -f5 | sort -u)" yes

# Killed in the middle: what is there stays, the rest is run.
rm -rf results
"$arenabench" sweep tiny.cfg --output results >out 2>err &
pid=$!
while [ ! -e results/results.db ] && kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
sleep 1.5
# Not SIGINT, which a job in the background ignores.
kill -TERM "$pid" 2>/dev/null
wait "$pid"
status=$?
tap_check "interrupted, or just done" awk "BEGIN { exit !($status == 143 || $status == 0) }"
tap_check "goes on" sweep results
tap_check "to the same rows" tap_same "$(sed 1d results/tiny.csv | wc -l | tr -d ' ')" "$tasks"
tap_check "none is left" tap_same "$("$arenabench" sweep tiny.cfg --output results --dry-run |
    grep -c 'to do')" 0
tap_done
