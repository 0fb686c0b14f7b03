#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command sweep: what it prints, writes and refuses.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

# No real inputs, even where the tree has some.
ARENABENCH_DATA=
export ARENABENCH_DATA

planner_experiment tiny '"naive", "greedy-by-size", "path-cover"' \
    '"uniform:n=6,seed={1..3}", "random-dag:n=8,seed={1,2}", "data:none.csv"' \
    'full: { workloads = ("uniform:n=7,seed={1..4}"); };'

header='experiment,workload,kind,n,pairs,load,width,max_size,total,w,width_bound,w1_bound,w2_bound,applicable,contestant,params,layout,seed,repetition,outcome,peak,lower_bound,best_lower_bound,time_s,cpu_s,rss_bytes,nodes,replay,timed,reason'

dry_run()
{
    exits 0 sweep tiny.cfg --dry-run --output dry || return 1
    tap_same "$(grep -c 'to do$' out)" 15 || return 1
    [ ! -e dry ]
}

first_run()
{
    exits 0 sweep tiny.cfg --output res --jobs 2 &&
        tap_says out '^tiny +15 +0 +15 ' &&
        tap_says out '^1 workload skipped: no real inputs: run ./fetch_data or set ARENABENCH_DATA$' &&
        tap_says err '^arenabench: tiny 15/15 +0 failed'
}

csv_file()
{
    tap_same "$(head -n 1 res/tiny.csv)" "$header" &&
        tap_same "$(wc -l <res/tiny.csv)" 16 &&
        tap_same "$(sed -n 2p res/tiny.csv | cut -d, -f1-5,15)" "tiny,uniform:n=6,generator,6,$(
            "$arenabench" lifetimes uniform:n=6 2>/dev/null | awk -F, '
                NR > 1 { for (i = 1; i < NR - 1; i++) pairs += low[i] < $3 && $2 < high[i]
                         low[NR - 1] = $2; high[NR - 1] = $3 }
                END { print pairs }'
        ),naive" &&
        tap_same "$(ls res | tr '\n' ' ')" "lock results.db tiny.csv "
}

second_run()
{
    cp res/tiny.csv before.csv &&
        exits 0 sweep tiny.cfg --output res --jobs 1 &&
        tap_says out '^tiny +15 +15 +0 ' &&
        tap_says out '^nothing left to do' &&
        cmp before.csv res/tiny.csv
}

dry_run_done()
{
    exits 0 sweep tiny.cfg --dry-run --output res && tap_same "$(grep -c 'done$' out)" 15
}

more_tasks()
{
    sed 's/{1..3}/{1..4}/' tiny.cfg >more.cfg &&
        exits 0 sweep more.cfg --output res && tap_says out '^tiny +18 +15 +3 '
}

# The sweep in between, which had nothing to do, recorded nothing.
one_build()
{
    mkdir seen && cp res/results.db seen &&
        exits 0 report --no-figures seen &&
        tap_same "$(cut -d, -f 1 seen/tables/builds.csv | tr '\n' ' ')" "build 1 " &&
        tap_says seen/tables/builds.csv ',"1, 2",18,'
}

full_size()
{
    exits 0 sweep tiny.cfg --full --output res && tap_says out '^tiny +12 +0 +12 '
}

other_limits()
{
    sed 's/256/128/' tiny.cfg >limits.cfg &&
        exits 0 sweep limits.cfg --output res && tap_says out '^tiny +15 +0 +15 '
}

default_folder()
{
    exits 0 sweep tiny.cfg && [ -f results/tiny/tiny.csv ] && [ ! -e results/full ] || return 1
    sed 's/"tiny"/"small"/' tiny.cfg >small.cfg
    exits 0 sweep tiny.cfg small.cfg && [ -f results/quick/tiny.csv ] && [ ! -e results/small ]
}

two_experiments()
{
    sed 's/"tiny"/"other"/' tiny.cfg >other.cfg &&
        exits 0 sweep other.cfg tiny.cfg --output two &&
        tap_says out '^other +15 +0 +15 ' && tap_says out '^tiny +15 +0 +15 ' &&
        tap_same "$(cut -d, -f2- two/tiny.csv)" "$(cut -d, -f2- two/other.csv)"
}

locked()
{
    # A sweep whose program waits holds the folder; a second one is told so.
    sed 's/"naive"/"exec:: >waits; exec sleep 300"/' tiny.cfg >long.cfg
    "$arenabench" sweep long.cfg --output held --jobs 1 >/dev/null 2>&1 &
    holder=$!
    while [ ! -e waits ] && kill -0 "$holder" 2>/dev/null; do
        sleep 0.02
    done
    refuses 'another sweep is writing to held' sweep tiny.cfg --output held
    result=$?
    kill -TERM "$holder" 2>/dev/null
    wait "$holder" 2>/dev/null
    return $result
}

# A user's program whose plan leaves buffers out; and one that gives none.
wrong_solver()
{
    sed 's/"naive"/"exec:echo id,offset"/' tiny.cfg >wrong.cfg &&
        exits 1 sweep wrong.cfg --output wrong &&
        tap_says err '^arenabench: tiny: uniform:n=6: exec:echo id,offset: invalid: ' &&
        tap_says err '5 results are invalid or above a bound' &&
        tap_says out '^tiny +15 +0 +15 .* 5 +[0-9.]+ +5$' || return 1
    # It is told again by a sweep that has nothing to do.
    exits 1 sweep wrong.cfg --output wrong && tap_says out '^tiny +15 +15 +0 '
}

retried()
{
    exits 1 sweep wrong.cfg --output wrong --retry-failed && tap_says out '^tiny +15 +10 +5 '
}

crashed_solver()
{
    sed 's/"naive"/"exec:false"/' tiny.cfg >crash.cfg &&
        exits 0 sweep crash.cfg --output crash && tap_says err '^arenabench: tiny 15/15 +5 failed'
}

tap_check "a dry run lists the tasks and makes nothing" dry_run
tap_check "a sweep runs all tasks and says what was skipped" first_run
tap_check "its CSV has the columns, a row a task, and nothing lies about" csv_file
tap_check "a second sweep has nothing left to do, with any number of jobs" second_run
tap_check "a dry run sees what is done" dry_run_done
tap_check "an experiment that grew runs what is new" more_tasks
tap_check "... which are of the same build, and of two sweeps" one_build
tap_check "the full size is another set of tasks" full_size
tap_check "other limits are other tasks" other_limits
tap_check "results go to results/NAME, of several experiments to results/quick" default_folder
tap_check "a file without its ending is found" refuses "did you mean 'tiny.cfg'" sweep tiny
tap_check "experiments share tasks" two_experiments
tap_check "two sweeps do not write into one folder" locked

adhoc()
{
    exits 0 sweep 'uniform:n={5,6}' --solvers naive,@ties --solvers path-cover@5s --seeds 2 \
        --repetitions 2 &&
        [ -s results/adhoc/adhoc.csv ] && [ ! -e results/quick/adhoc.csv ] || return 1
    tap_same "$(sed 1d results/adhoc/adhoc.csv | grep -c ',naive,')" 4 &&
        tap_same "$(sed 1d results/adhoc/adhoc.csv | cut -d, -f2 | sort -u | tr '\n' ' ')" \
            "uniform:n=5 uniform:n=6 " || return 1
    exits 0 sweep 'uniform:n={5,6}' --solvers naive,@ties,path-cover@5s --seeds 2 --repetitions 2 &&
        tap_says out '^nothing left to do'
}

adhoc_elsewhere()
{
    exits 0 sweep resnet18 uniform:n=5 --solvers naive --name try --time-limit 3 &&
        [ -s results/try/try.csv ] && exits 0 sweep resnet18 --solvers naive --output there --dry-run &&
        tap_says out '^adhoc +resnet18 +naive ' && [ ! -e there ]
}

tap_check "solvers on instances need no file" adhoc
tap_check "... nor a folder's name" adhoc_elsewhere
tap_check "... but instances" refuses 'expected instances' sweep --solvers naive
tap_check "... that are known" refuses "unknown network, generator or file 'uniforn'" \
    sweep uniforn --solvers naive --output no
tap_check "... and a name that can be a file's" refuses "name: expected letters" \
    sweep uniform --solvers naive --name 'a b' --output no
tap_check "... and one size" refuses 'full is for experiments' sweep uniform --solvers naive --full
tap_check "an experiment says its limits itself" refuses 'time-limit is for instances' \
    sweep tiny.cfg --time-limit 3 --output no

tap_check "an invalid result is named, and the status is 1" wrong_solver
tap_check "what failed runs again on demand" retried
tap_check "a crash is data" crashed_solver

tap_check "an unknown experiment is refused" refuses "unknown experiment 'gapp' (did you mean 'gap'" \
    sweep gapp --output no
tap_check "a missing file is refused" refuses 'No such file' sweep none.cfg --output no
tap_check "... by its name" tap_says err 'none\.cfg: '
printf 'name = "x";\ntitel = "y";\n' >bad.cfg
tap_check "a bad file is refused with its line" refuses "bad.cfg:2: unknown setting 'titel'" \
    sweep tiny.cfg bad.cfg --output no
tap_check "one experiment twice is refused" refuses "two experiments named 'tiny'" \
    sweep tiny.cfg tiny.cfg --output no
tap_check "a folder that can't be made is refused" refuses 'cannot make the folder' \
    sweep tiny.cfg --output tiny.cfg/no
mkdir foreign && echo 'no database, but text' >foreign/results.db
tap_check "a file that is no store is refused" refuses 'not a database' \
    sweep tiny.cfg --output foreign
tap_check "no jobs are refused" refuses '--jobs' sweep tiny.cfg --jobs 0
tap_check "a missing real input is refused where the folder is set" env ARENABENCH_DATA=/nowhere \
    sh -c "! '$arenabench' sweep tiny.cfg --output no 2>&1 | grep -v 'No such file'"
lacking()
{
    mkdir -p folder/deep && ARENABENCH_DATA=$PWD/folder exits 0 sweep tiny.cfg --output lacking &&
        tap_says out '^1 workload skipped: not among the real inputs that are here' &&
        tap_says out '^  tiny: data:none.csv$' &&
        grep -aq 'the folder that ARENABENCH_DATA names' lacking/results.db
}
tap_check "a real input that the folder lacks is skipped by name" lacking
tap_check "none of them made a folder" test ! -e no
tap_done
