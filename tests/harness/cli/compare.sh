#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command compare: its table, its exit statuses, its messages.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
program=${top_builddir:?}/arenabench

cd "$tap_scratch" || exit 99
# Buffers a and b touch; c overlaps both: load and optimum 15.
printf 'id,lower,upper,size\na,0,2,10\nb,2,4,7\nc,1,3,5\n' >three.csv
printf 'id,lower,upper,size\n' >none.csv
printf 'id,lower,upper,size,alignment\na,0,2,10,4\nb,1,4,7,4\n' >aligned.csv

# status EXPECTED ARGUMENT...: as tap_exits.
status()
{
    want=$1
    shift
    tap_exits "$want" "$program" compare "$@"
}

# The table without the times.
timeless()
{
    cut -d, -f1-5,7- out
}

tap_check "one instance, three solvers" status 0 three.csv --format csv \
    --solvers naive,greedy-by-size,path-cover:choice=last
tap_check "the header" tap_same "$(head -n 1 out)" \
    solver,outcome,peak,lower_bound,load,time_s,gap,gap_to_bound,layout,reason,limit_s
tap_check "the rows" tap_same "$(timeless)" \
"solver,outcome,peak,lower_bound,load,gap,gap_to_bound,layout,reason,limit_s
naive,feasible,22,15,15,0.46666666666666656,0.46666666666666656,objects,,10
greedy-by-size,optimal,15,15,15,0,0,arena,,10
path-cover:choice=last,optimal,15,15,15,0,0,arena,,10"
tap_check "nothing on standard error" tap_same "$(cat err)" ""

timeless >alone
tap_check "with four jobs" status 0 three.csv --format csv --jobs 4 \
    --solvers naive,greedy-by-size,path-cover:choice=last
tap_check "the rows are the same" tap_same "$(timeless)" "$(cat alone)"

tap_check "nobody named" status 0 three.csv --format csv
tap_check "who answers at once: heuristics and the search, no integer program" tap_same \
    "$(sed 1d out | grep -c -e '^greedy-by-size,' -e '^section-first,.*,1$' \
        -e '^branch-and-bound,.*,2$' -e '^glpk,' -e '^model-ilp,')" 3
tap_check "with a limit for all" status 0 three.csv --format csv --time-limit 7
tap_check "which is theirs too" tap_same "$(sed 1d out | grep -c -v ',7$')" 0
tap_check "every solver" status 0 three.csv --format csv --solvers @all
tap_check "in the order of the list" tap_same \
    "$(sed 1d out | cut -d, -f1)" \
    "$("$program" list solvers --format csv | sed 1d | cut -d, -f1 | grep -v '^exec$')"
tap_check "as text" status 0 three.csv --solvers naive
tap_check "the header is aligned" grep -q '^solver  *outcome  *peak' out
tap_check "a note says what the instance was" grep -q '3 buffers, load 15, width 2' err

tap_check "no buffers" status 0 none.csv --solvers naive,greedy-by-size --format csv
tap_check "need no memory" tap_same "$(sed 1d out | cut -d, -f2-5)" "optimal,0,0,0
optimal,0,0,0"

# Searches that can't prove what they have would go on for ten seconds each.
tap_check "alignments" status 0 aligned.csv --format csv --time-limit 1
for solver in $(sed 1d out | grep ',skipped,' | cut -d, -f1); do
    tap_check "$solver is skipped with empty cells and a reason" \
        grep -q "^$solver,skipped,,,,,,,[a-z]*,..*" out
done

tap_check "an unknown solver" status 2 three.csv --solvers naive,greedy-by-sise
tap_check "the nearest is suggested" grep -q "did you mean 'greedy-by-size'" err
tap_check "an unknown parameter" status 2 three.csv --solvers path-cover:chioce=last
tap_check "the nearest is suggested" grep -q "did you mean 'choice'" err
tap_check "an empty name in the list" status 2 three.csv --solvers naive,,path-cover
tap_check "a missing file" status 2 missing.csv
tap_check "the file is named" grep -q 'missing.csv' err
tap_check "an unknown format" status 2 three.csv --format tsv
tap_check "a time limit that is no number" status 2 three.csv --time-limit soon
tap_check "a negative memory limit" status 2 three.csv --memory-limit -1
tap_check "an unknown option" status 2 three.csv --solvres naive
tap_check "the nearest is suggested" grep -q "did you mean '--solvers'" err
tap_check "no instance" status 2
tap_check "nothing but the message" tap_same "$(cat out)" ""

tap_check "solvers in several options" status 0 three.csv --format csv --solvers naive \
    --solvers path-cover:choice=last,greedy-by-size@250ms
tap_check "are all there" tap_same "$(sed 1d out | cut -d, -f1,11)" "naive,10
path-cover:choice=last,10
greedy-by-size,0.25"
tap_check "sorted by gap" status 0 three.csv --format csv --sort gap --solvers naive,tflm,path-cover
tap_check "the smallest first, who is equal as given" tap_same "$(sed 1d out | cut -d, -f1)" "tflm
path-cover
naive"
tap_check "sorted by name" status 0 three.csv --format csv --sort name --top 2 \
    --solvers tflm,path-cover,naive
tap_check "the first two" tap_same "$(sed 1d out | cut -d, -f1)" "naive
path-cover"
tap_check "sorted by time" status 0 three.csv --format csv --sort time --solvers '@heuristics'
sed 1d out | cut -d, -f6 | grep . >seconds
tap_check "the fastest first" sort -g -c seconds
tap_check "an unknown order" status 2 three.csv --sort gaps
tap_check "the nearest is suggested" grep -q "did you mean 'gap'" err

if "$program" list solvers --format csv | grep -q '^exec,'; then
    cat "$top_srcdir/tests/support/stack.awk" >stack.awk
    tap_check "two commands" status 0 three.csv --format csv \
        --solvers "exec:one=awk -f stack.awk,exec:two=awk -v 'a=x,y' -f stack.awk,naive"
    tap_check "stand side by side" tap_same "$(timeless | sed 1d | cut -d, -f1-3)" \
"exec:one,feasible,22
exec:two,feasible,22
naive,feasible,22"
    # At its limit it has a plan, which is kept.
    tap_check "a command with a limit of its own" status 0 three.csv --format csv \
        --solvers "exec@2000ms:slow=awk -f stack.awk; sleep 60"
    tap_check "is cut by it" grep -q '^exec:slow,timeout,22,.*,2$' out
    tap_check "a program that answers nonsense" status 1 three.csv --format csv \
        --solvers 'naive,exec:echo a,b,c'
    tap_check "is the only bad one" tap_same \
        "$(sed 1d out | grep -c -e ',invalid,' -e ',crashed,')" 1
else
    tap_skip "no exec in this build"
fi
tap_done
