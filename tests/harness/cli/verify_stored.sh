#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# verify DIR: every plan that a sweep has stored is judged again, and whatever is changed in the row
# of one is named; so are rows that have no checksum.
# shellcheck disable=SC2154,SC2317 # tap.sh sets tap_scratch; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

# An instance for each way to judge: a file, rectangles, pieces, a network that is replayed, each
# planner's own rounding, one with loops; objects that are shared; a program that gives no plan and
# one that gives a wrong one.
printf 'id,lower,upper,size\na,0,4,10\nb,2,6,20\nc,5,9,30\n' >three.csv
echo 'exit 3' >none.sh
echo "awk -F, 'NR == 1 { print \"id,offset\"; next } { print \$1 \",0\" }'" >wrong.sh
"$arenabench" sweep three.csv 'uniform:n=30,seed={1,2}' stretches:n=30 squeezenet1_1 \
    shufflenet_v2_x1_0:size=37,dtype=i8,align=native recurrence --output results --solvers \
    'naive,greedy-by-size,tflite-gpu-equality,tflm,exec:none=sh none.sh,exec:wrong=sh wrong.sh' \
    >sweep.out 2>&1
tap_check "a sweep with six planners on seven instances" test -f results/results.db

tap_check "all that has a plan is right" tap_exits 0 "$arenabench" verify results
tap_check "... which one line says" tap_says out \
    '^plans: ([0-9]+) judged again, \1 right, 0 wrong; [0-9]+ refused when they were recorded; tasks without a plan: [0-9]+$'
tap_check "... and another what was looked at" tap_says out \
    "^looked at: offsets, peaks, .*, rows' checksums; not at: .* times, memory, provenance\$"
tap_check "... and no more" test "$(wc -l <out)" -eq 2
judged=$(sed -n 's/^plans: \([0-9]*\).*/\1/p' out)
refused=$(sed -n 's/.*wrong; \([0-9]*\) refused.*/\1/p' out)
without=$(sed -n 's/.*a plan: \([0-9]*\).*/\1/p' out)
tap_check "... of 42 tasks, 28 of planners and some that are not applicable" \
    test $((judged + refused + without)) -eq 42 -a "$judged" -ge 24 -a "$refused" -ge 5 -a "$without" -ge 7

tap_check "a folder without results" tap_exits 2 "$arenabench" verify .
tap_check "... is said to be that" tap_says err '^arenabench: verify: \./results.db: No such file'
tap_check "a file alone" tap_exits 2 "$arenabench" verify three.csv
tap_check "a certificate is for one plan" tap_exits 2 "$arenabench" verify results --certificate x
tap_check "... which it says" tap_says err 'verify: --certificate is for one plan: expected INSTANCE PLAN'

# The instance is another one, or gone.
cp three.csv kept.csv
sed -i 's/10$/11/' three.csv
tap_check "an instance that has changed is not judged" tap_exits 0 "$arenabench" verify results
tap_check "... with the reason" tap_says err 'three.csv is no longer the instance that it was then'
tap_check "... and a count" tap_says out '; [3-5] not judged, whose instances are not here;'
rm three.csv
tap_check "nor is one that is gone" tap_exits 0 "$arenabench" verify results
tap_check "... with the reason" tap_says err 'three.csv'
"$arenabench" sweep kept.csv --solvers naive --output alone >/dev/null 2>&1
mv kept.csv three.csv
tap_check "where nothing can be judged the status says so" tap_exits 1 "$arenabench" verify alone
tap_check "... and a line" tap_says err 'verify: no plan in alone could be judged'

if ! command -v sqlite3 >/dev/null; then
    tap_skip "sqlite3 is not here"
    tap_done
    exit
fi

# wrong WHAT SQL REASON: with the first plan of greedy-by-size on the instance WHAT changed by SQL
# (which leaves its checksum out) that plan is wrong for that REASON, and no other.
wrong()
{
    what=$1
    sql=$2
    reason=$3
    task=$(sqlite3 results/results.db "select t.id from task t join workload w on w.id = t.workload
        where w.label glob '$what' and t.contestant = 'greedy-by-size' order by t.id limit 1")
    change_store results "$(echo "$sql" | sed "s/TASK/$task/g")" || return
    tap_exits 1 "$arenabench" verify changed && tap_says out "^wrong: task $task, greedy-by-size on .*: $reason" &&
        tap_says out "^plans: $judged judged again, $((judged - 1)) right, 1 wrong;" &&
        tap_says out "^1 row of (plan|task) without a checksum: (plan task|task id) $task\$" &&
        tap_same "$(wc -l <out)" 4
}
plan='update plan set row_checksum = null,'
# offsets PART...: these, with OLD for the bytes of those that are there, instead of them.
offsets()
{
    echo "$plan offsets = offsets_pack(cast($1 as blob)) where task = TASK" |
        sed 's/OLD/offsets_unpack(offsets, base)/g'
}
bottom="x'0000000000000000'"
high="x'0000000000000040'"

tap_check "rows without a checksum in which nothing is wrong" change_store results \
    "update measurement set row_checksum = null; update plan set row_checksum = null where task = 2"
tap_check "... are named" tap_exits 1 "$arenabench" verify changed
tap_check "... all plans being right" tap_says out "^plans: $judged judged again, $judged right, 0 wrong;"
tap_check "... where there are few" tap_says out '^1 row of plan without a checksum: plan task 2$'
tap_check "... the first where there are many" tap_says out \
    '^[0-9]+ rows of measurement without a checksum: measurement task 1, seq 0; measurement task .*; \.\.\.$'
tap_check "... and nothing else" test "$(wc -l <out)" -eq 4
tap_check "rescue takes them" tap_exits 0 "$arenabench" rescue changed --output kept
tap_check "... and gives them none" test "$(sqlite3 kept/results.db \
    'select count(*) from plan where row_checksum is null')" -eq 1

tap_check "an offset moved onto another buffer" wrong 'uniform*' \
    "$(offsets 'zeroblob(length(OLD))')" "buffers '.*' at .* overlap at step"
tap_check "an offset that is negative" wrong three.csv \
    "$(offsets "x'ffffffffffffffff' || substr(OLD, 9)")" 'offset -1 is negative'
tap_check "an offset moved to where nothing is" wrong three.csv \
    "$(offsets "$high || substr(OLD, 9)")" 'peak is stored as'
tap_check "an offset beyond all addresses" wrong three.csv \
    "$(offsets "x'ffffffffffffff7f' || substr(OLD, 9)")" \
    'offset 9223372036854775807 \+ size overflows'
tap_check "one offset less" wrong three.csv "$(offsets 'substr(OLD, 9)')" 'expected 3 offsets'
tap_check "pieces that overlap" wrong 'stretches*' \
    "$(offsets 'zeroblob(length(OLD))')" "buffers '.*' at .* overlap at step"
tap_check "a network's buffers" wrong 'squeezenet1_1' \
    "$(offsets "$bottom || $bottom || substr(OLD, 17)")" "buffers '.*' at .* overlap at step"
tap_check "a lower peak" wrong squeezenet1_1 "$plan peak = peak - 1 where task = TASK" \
    'peak is stored as [0-9]*, it is'
tap_check "a higher peak" wrong recurrence "$plan peak = peak + 1 where task = TASK" \
    'peak is stored as [0-9]*, it is'
tap_check "no peak" wrong recurrence "$plan peak = null where task = TASK" \
    'peak is stored as , it is'
tap_check "a bound above the peak" wrong 'uniform*' \
    "$plan lower_bound = peak + 1 where task = TASK" 'lower_bound is stored as .* the peak'
tap_check "a bound below the load" wrong 'uniform*' \
    "$plan lower_bound = 1 where task = TASK" 'lower_bound is stored as 1, the load is'
tap_check "an outcome that the bound does not prove" wrong three.csv \
    "update task set row_checksum = null, outcome = case outcome when 'optimal' then 'feasible'
     else 'optimal' end where id = TASK" 'outcome is stored as (optimal|feasible), with peak'
tap_check "a replay that was none" wrong squeezenet1_1 \
    "$plan replay = 'none' where task = TASK" 'replay is stored as none, it is segments'
tap_check "a replay that could not be" wrong 'uniform*' \
    "$plan replay = 'bytes' where task = TASK" 'replay is stored as bytes, it is none'
# Whose own rounding counts: that of tflm to 16 bytes makes the load another one.
tap_check "a planner's own rounding counts" test "$(sqlite3 results/results.db "select group_concat(lower_bound)
    from (select distinct p.lower_bound from plan p join task t on t.id = p.task join workload w
    on w.id = t.workload where w.label like '%native' and t.contestant in ('naive', 'tflm') order by 1)")" \
    = 17328,17344
tap_done
