#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rerun: tasks of a sweep give the same again, and where one does not, or the store says otherwise,
# that is named; what can't be compared is counted.
# shellcheck disable=SC2154,SC2317 # tap.sh sets tap_scratch; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

# Rectangles, a network, a search that counts and improves, one that draws numbers, one that is not
# applicable, a program.
printf 'id,lower,upper,size\na,0,4,10\nb,2,6,20\nc,5,9,30\n' >three.csv
echo "awk -F, 'NR == 1 { print \"id,offset\"; next } { print \$1 \",\" s + 0; s += \$4 }'" >stack.sh
"$arenabench" sweep three.csv 'uniform:n=14,seed={1..3}' tight:n=30 squeezenet1_1 --output results --jobs 2 \
    --solvers 'naive,greedy-by-size:ties=shuffle,path-cover,branch-and-bound,section-first:nodes=2000,exec:stack=sh stack.sh' \
    --time-limit 60 --seeds 2 >sweep.out 2>&1
tap_check "a sweep" grep -q '^results in results' sweep.out
cp results/results.db before.db

tap_check "all of it again" tap_exits 0 "$arenabench" rerun results --sample 1
tap_check "... in one line" tap_says out '^run again: ([0-9]+) of \1 tasks \(seed 1\): \1 the same, 0 differ'
tap_check "... and no more" test "$(wc -l <out)" -eq 1
tasks=$(sed 's/^run again: \([0-9]*\).*/\1/' out)
tap_check "... of 6 instances, 6 planners, some of which draw from 2 seeds" test "$tasks" -ge 36
tap_check "the store stays as it is" cmp before.db results/results.db
tap_check "a tenth of it, rounded up" tap_exits 0 "$arenabench" rerun results
tap_check "... says so" tap_says out "^run again: $(((tasks + 9) / 10)) of $tasks tasks"
tap_check "as CSV there are no differences" tap_exits 0 "$arenabench" rerun results --format csv
tap_check "... but their columns" tap_same "$(cat out)" "task,workload,solver,seed,repetition,what,then,now"
tap_check "... and the line is a message" tap_says err '^run again: '

tap_check "a share of 0" tap_exits 2 "$arenabench" rerun results --sample 0
tap_check "... is none" tap_says err 'expected a share above 0'
tap_check "a share above 1" tap_exits 2 "$arenabench" rerun results --sample 1.5
tap_check "a folder without results" tap_exits 2 "$arenabench" rerun .

# A program that never answers the same; one that is gone.
echo "awk -F, -v s=\"\$(cat turn)\" 'NR == 1 { print \"id,offset\"; next } { print \$1 \",\" s + 0; s += \$4 }'
echo 7 >turn" >turn.sh
echo 0 >turn
"$arenabench" sweep three.csv --output turns --solvers 'exec:turn=sh ./turn.sh' >/dev/null 2>&1
tap_check "a program that answers differently" tap_exits 1 "$arenabench" rerun turns --sample 1
tap_check "... by its peak" tap_says out ' three.csv +exec:turn .* peak +60 +67$'
tap_check "... by its offsets" tap_says out ' three.csv +exec:turn .* offset of buffer 0 +0 +7$'
tap_check "... by its improvements" tap_says out ' three.csv +exec:turn .* improvement 1 +incumbent 60 +incumbent 67$'
tap_check "... in the end" tap_says out '^run again: 1 of 1 tasks \(seed 1\): 0 the same, 1 differ$'
tap_check "... as JSON too" tap_exits 1 "$arenabench" rerun turns --sample 1 --format json
tap_check "... with texts for what is compared" tap_says out \
    '^\{"task": 1, "workload": "three.csv", "solver": "exec:turn", .*"what": "peak", "then": "60", "now": "67"\}$'
echo 0 >turn
echo '# changed' >>turn.sh
tap_check "a program that has changed since is not compared" tap_exits 1 "$arenabench" rerun turns --sample 1
tap_check "... which is said" tap_says err 'rerun: no task in turns could be compared; --any-version takes'
tap_check "... with a count" tap_says out '1 of another version of their solver, not drawn$'
tap_check "unless it is asked for" tap_exits 0 "$arenabench" rerun turns --sample 1 --any-version
tap_check "... and gives the same" tap_says out ': 1 the same, 0 differ$'

# A program that answers by its limits.
echo "awk -F, -v s=\"\$ARENABENCH_CPU_LIMIT\" 'NR == 1 { print \"id,offset\"; next } { print \$1 \",\" s + 0; s += \$4 }'" >limits.sh
"$arenabench" sweep three.csv --output limits --solvers 'exec:limits=sh ./limits.sh' --cpu-limit 40 >/dev/null 2>&1
tap_check "the limit of processor time is what it was" tap_exits 0 "$arenabench" rerun limits --sample 1
"$arenabench" sweep three.csv --output none --solvers 'exec:limits=sh ./limits.sh' >/dev/null 2>&1
tap_check "... also none" tap_exits 0 "$arenabench" rerun none --sample 1

# As in a report, an experiment is what it is in its full size, and a task is one, whoever has it.
planner_experiment sized '"naive", "greedy-by-size"' '"uniform:n=6,seed={1..3}"' \
    'full: { workloads = ("uniform:n=7,seed={1..2}"); };'
sed 's/"sized"/"alike"/; s/uniform:n=6/uniform:n=7/' sized.cfg >alike.cfg
for size in '' --full; do
    "$arenabench" sweep sized.cfg $size --output sizes >/dev/null 2>&1
done
tap_check "the full size, not the quick one" tap_exits 0 "$arenabench" rerun sizes --sample 1
tap_check "... alone" tap_says out '^run again: 4 of 4 tasks'
"$arenabench" sweep alike.cfg --output sizes >/dev/null 2>&1
tap_check "tasks of two experiments" tap_exits 0 "$arenabench" rerun sizes --sample 1
tap_check "... run once" tap_says out '^run again: 6 of 6 tasks .*: 6 the same, 0 differ$'

# A program that ended before, and now answers otherwise until its time is over.
echo "stack() { awk -F, -v s=\$1 'NR == 1 { print \"id,offset\"; next } { print \$1 \",\" s + 0; s += \$4 }' problem; }
cat >problem; [ -e slow ] || { stack 9; exit; }
stack 5; stack 0; sleep 60" >slower.sh
"$arenabench" sweep three.csv --output slower --solvers 'exec:slower=sh ./slower.sh' --time-limit 2 >/dev/null 2>&1
touch slow
tap_check "what a limit cuts now" tap_exits 1 "$arenabench" rerun slower --sample 1
tap_check "... is counted, and no difference" tap_says out '0 the same, 0 differ; 1 cut'

# The instance.
cp three.csv kept.csv
sed -i 's/30$/31/' three.csv
tap_check "an instance that is another one now" tap_exits 1 "$arenabench" rerun results --sample 1
tap_check "... differs as a whole" tap_says out ' three.csv +naive .* instance +[0-9a-f]{16} +[0-9a-f]{16}$'
rm three.csv
tap_check "an instance that is gone" tap_exits 0 "$arenabench" rerun results --sample 1
tap_check "... is counted" tap_says out '; [89] whose solver or instance is not here'
tap_check "... with the reason" tap_says err 'rerun: not here: .*three.csv'
mv kept.csv three.csv

if ! command -v sqlite3 >/dev/null; then
    tap_skip "sqlite3 is not here"
    tap_done
    exit
fi

# What a limit cut, and kernels, count apart.
cp -r results cut
sqlite3 cut/results.db "update task set row_checksum = null, timed = 1 where contestant = 'naive';
    update task set row_checksum = null, outcome = 'memout' where contestant = 'path-cover';
    update task set row_checksum = null, kind = 'conv' where contestant like 'exec:%'"
tap_check "what a limit cut is not drawn" tap_exits 0 "$arenabench" rerun cut --sample 1
tap_check "... but counted" tap_says out ': ([0-9]+) the same, 0 differ; 12 cut by a limit then, not drawn; 6 of kernels, whose'

# In a store of one task, which SQL changes: what diff says of it is what rerun compares.
"$arenabench" sweep uniform:n=14,seed=2 --output one --solvers branch-and-bound --time-limit 60 \
    >sweep.out 2>&1
# differs WHAT THEN NOW SQL: that is the only difference.
differs()
{
    change_store one "$4" && tap_exits 1 "$arenabench" diff changed one --table values --same --format csv &&
        tap_says out "^1,\"?uniform.*,branch-and-bound.*,$1,\"?$2\"?,\"?$3\"?\$" && tap_same "$(wc -l <out)" 2
}
of()
{
    sqlite3 one/results.db "$1"
}
plan='update plan set row_checksum = null,'
number='-?[0-9]+'
tap_check "a store and itself" tap_exits 0 "$arenabench" diff one one --table values --same --format csv
tap_check "... are the same" tap_same "$(cat out)" "task,workload,solver,seed,repetition,what,then,now"
tap_check "a file of runs" "$arenabench" report one --runs one.csv
tap_check "... has no values" tap_exits 2 "$arenabench" diff one one.csv --table values
tap_check "... which is said" tap_says err 'one.csv: a file of runs has no values'
tap_check "it has improvements" test "$(of "select count(*) from measurement where task = 1")" -ge 1
tap_check "and has counted" test "$(of "select count(*) from statistic where task = 1")" -ge 1
# all_differ FOLDER TASK TABLE ROW EXCEPTIONS: whatever is changed in the row of TABLE (WHERE ROW) of
# TASK is a difference, column by column, but for EXCEPTIONS: what it is known by, or hangs on time.
all_differ()
{
    columns=$(sqlite3 "$1/results.db" "select name from pragma_table_info('$3')" |
        grep -vxE "row_checksum|$(printf %s "$5" | tr ' \n' '||')")
    change_store "$1" "update $3 set row_checksum = null$(for column in $columns; do
        case $column in
        layout) value="'objects'" ;;
        replay) value="'bytes'" ;;
        outcome) value="'crashed'" ;;
        kind) value="'file'" ;;
        *applicable) value="1 - coalesce($column, 0)" ;;
        *) value=12345 ;;
        esac
        printf ', %s = %s' "$column" "$value"
    done) where $4" || return
    "$arenabench" diff changed "$1" --table values --format csv >out
    tap_same "$(csv_rows out '$at["task"] == '"$2"' { print $at["what"] }' | sort)" "$(echo "$columns" | sort)"
}
tap_check "all of a plan" all_differ one 1 plan 'task = 1' 'task base offsets'
tap_check "... run again" tap_exits 1 "$arenabench" rerun changed --sample 1
tap_check "... is one task" tap_says out '^run again: 1 of 1 tasks .*: 0 the same, 1 differ$'
tap_check "... whose row has no checksum" \
    tap_says err 'rerun: changed: 1 row of plan without a checksum: plan task 1$'
tap_check "all of a task that no clock says" all_differ one 1 task 'id = 1' 'id form kind workload contestant
params contestant_checksum seed repetition time_limit_s memory_limit work_limit timed time_s cpu_s verify_s
replay_s harness_s rss_bytes finished sweep events statistics key_checksum'
tap_check "all of a workload" all_differ one 1 workload 'id = 1' 'id label checksum'
tap_check "another offset, the first of two" differs 'offset of buffer 3' 4096 "$number" \
    "$plan offsets = offsets_pack(cast(substr(offsets_unpack(offsets, base), 1, 24)
     || x'00100000000000000010000000000000' || substr(offsets_unpack(offsets, base), 41) as blob))
     where task = 1"
tap_check "fewer offsets" differs offsets 10 14 \
    "$plan offsets = offsets_pack(cast(substr(offsets_unpack(offsets, base), 1, 80) as blob)) where task = 1"
tap_check "none" differs offsets '' 14 "$plan offsets = null where task = 1"
tap_check "another improvement" differs 'improvement 1' 'incumbent 5' '(incumbent|bound) [0-9]+' \
    "update measurement set row_checksum = null, name = 'incumbent', value = 5.0
     where task = 1 and seq = 0"
tap_check "an improvement more" differs 'improvement 100' 'incumbent 5' '' \
    "insert into measurement (task, seq, name, at_s, value) values (1, 99, 'incumbent', 0.0, 5.0)"
tap_check "an improvement less" differs 'improvement 1' '' '(incumbent|bound) [0-9]+' \
    "delete from measurement where task = 1 and seq = 0"
name=$(of "select name from statistic where task = 1 order by name limit 1")
tap_check "another count of the search" differs "$name" 98765 "$number" \
    "update statistic set row_checksum = null, value = 98765 where task = 1 and name = '$name'"
tap_check "a count that was not there" differs "$name" '' "$number" \
    "delete from statistic where task = 1 and name = '$name'"
tap_check "a count that is not there" differs something 5 '' \
    "insert into statistic (task, name, value) values (1, 'something', 5)"
tap_check "a workload's bound" differs width_bound 7 "$number" \
    "update workload set row_checksum = null, width_bound = 7
     where id = (select workload from task where id = 1)"
tap_check "a fact of a workload" differs something '5(\.0)?' '' \
    "insert into fact (workload, name, value) select workload, 'something', 5.0 from task where id = 1"

# Networks that run: all but their times.
run_experiment runs '"squeezenet1_1:size=32"' '"naive", "greedy-by-size"' '"mgemm", "none"'
"$arenabench" sweep runs.cfg --output runs >sweep.out 2>&1
tap_check "networks that run" tap_exits 0 "$arenabench" rerun runs --sample 1
tap_check "... give the same" tap_says out '^run again: 4 of 4 tasks \(seed 1\): 4 the same, 0 differ$'
tap_check "all of a run but its times" all_differ runs 3 execution 'task = 3' 'task kernels isa threads groups
rounds round_s low_s high_s serial_s modelled_speed_up resident_bytes'
change_store runs "insert into form (text) select text || 'x' from form where id = (select form from task where id = 1);
    update task set row_checksum = null, form = (select max(id) from form) where id = 1;
    update execution set row_checksum = null, isa = 'avx1024' where task = 2;
    update execution set row_checksum = null, kernels = 'mykernel' where task = 3;
    update execution set row_checksum = null, threads = 77777 where task = 4"
tap_check "runs of another version, or on what is not here" tap_exits 1 "$arenabench" rerun changed --sample 1
tap_check "... are counted" tap_says out '0 of 0 tasks .*; 3 whose solver or instance is not here; 1 of another version'

# A row that somebody made up.
change_store one "insert into form (text) values ('=some key');
    update task set row_checksum = null, form = (select max(id) from form), seed = -7,
    time_limit_s = -1.0, contestant = 'branch-and-bound', params = ''"
tap_check "a key that is none is another version" tap_exits 1 "$arenabench" rerun changed
tap_check "... which is counted" tap_says out '1 of another version of their solver, not drawn$'
sqlite3 changed/results.db "update task set row_checksum = null, contestant = 'nobody'"
tap_check "a solver that there is not" tap_exits 1 "$arenabench" rerun changed
tap_check "... is named" tap_says err "rerun: not here: unknown solver 'nobody'"
sqlite3 changed/results.db "update task set row_checksum = null, contestant = 'naive';
    update workload set row_checksum = null, label = 'nothing:n=3'"
tap_check "an instance that there is not" tap_exits 1 "$arenabench" rerun changed --any-version
tap_check "... is named" tap_says err "rerun: not here: .*nothing"

# Which tasks are drawn hangs on the seed.
cp -r results drawn
sqlite3 drawn/results.db "update plan set row_checksum = null, nodes = nodes + 1"
drawn()
{
    "$arenabench" rerun drawn --sample 0.3 --seed "$1" --format csv 2>/dev/null | cut -d, -f1
}
tap_check "the same seed draws the same tasks" tap_same "$(drawn 1)" "$(drawn 1)"
tap_check "another seed others" test "$(drawn 1)" != "$(drawn 2)"
tap_check "as many as the share says" test "$(drawn 3 | sed 1d | sort -u | wc -l)" -eq $(((tasks * 3 + 9) / 10))
tap_done
