#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command compare: its table, its exit statuses, its messages.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_command=compare
. "$top_srcdir/tests/support/command.sh"

# Buffers a and b touch; c overlaps both: load and optimum 15.
printf 'id,lower,upper,size\na,0,2,10\nb,2,4,7\nc,1,3,5\n' >three.csv
printf 'id,lower,upper,size\n' >none.csv
printf 'id,lower,upper,size,alignment\na,0,2,10,4\nb,1,4,7,4\n' >aligned.csv

# The table without the times.
timeless()
{
    cut -d, -f1-5,7- out
}

tap_check "one instance, three solvers" exits 0 three.csv --format csv \
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
tap_check "with four jobs" exits 0 three.csv --format csv --jobs 4 \
    --solvers naive,greedy-by-size,path-cover:choice=last
tap_check "the rows are the same" tap_same "$(timeless)" "$(cat alone)"

tap_check "nobody named" exits 0 three.csv --format csv
tap_check "who answers at once: heuristics and the search, no integer program" tap_same \
    "$(sed 1d out | grep -c -e '^greedy-by-size,' -e '^section-first,.*,1$' \
        -e '^branch-and-bound,.*,2$' -e '^glpk,' -e '^model-ilp,')" 3
tap_check "with a limit for all" exits 0 three.csv --format csv --time-limit 7
tap_check "which is theirs too" tap_same "$(sed 1d out | grep -c -v ',7$')" 0
tap_check "every solver" exits 0 three.csv --format csv --solvers @all
tap_check "in the order of the list" tap_same \
    "$(sed 1d out | cut -d, -f1)" \
    "$("$arenabench" list solvers --format csv | sed 1d | cut -d, -f1 | grep -v '^exec$')"
tap_check "as text, with a note on the instance" says '3 buffers, load 15, width 2' three.csv \
    --solvers naive
tap_check "the header is aligned" grep -q '^solver  *outcome  *peak' out

tap_check "no buffers" exits 0 none.csv --solvers naive,greedy-by-size --format csv
tap_check "need no memory" tap_same "$(sed 1d out | cut -d, -f2-5)" "optimal,0,0,0
optimal,0,0,0"

# Searches that can't prove what they have would go on for ten seconds each.
tap_check "alignments" exits 0 aligned.csv --format csv --time-limit 1
for solver in $(sed 1d out | grep ',skipped,' | cut -d, -f1); do
    tap_check "$solver is skipped with empty cells and a reason" \
        grep -q "^$solver,skipped,,,,,,,[a-z]*,..*" out
done

tap_check "an unknown solver" refuses "did you mean 'greedy-by-size'" three.csv \
    --solvers naive,greedy-by-sise
tap_check "an unknown parameter" refuses "did you mean 'choice'" three.csv \
    --solvers path-cover:chioce=last
tap_check "an empty name in the list" refuses "unknown solver ''" three.csv --solvers naive,,path-cover
tap_check "a missing file" refuses missing.csv missing.csv
tap_check "an unknown format" refuses "--format tsv" three.csv --format tsv
tap_check "a time limit that is no number" refuses "--time-limit soon" three.csv --time-limit soon
tap_check "a negative memory limit" refuses "--memory-limit -1" three.csv --memory-limit -1
tap_check "an unknown option" refuses "did you mean '--solvers'" three.csv --solvres naive
tap_check "no instance" refuses "INSTANCE expected"

tap_check "solvers in several options" exits 0 three.csv --format csv --solvers naive \
    --solvers path-cover:choice=last,greedy-by-size@250ms
tap_check "are all there" tap_same "$(sed 1d out | cut -d, -f1,11)" "naive,10
path-cover:choice=last,10
greedy-by-size,0.25"
tap_check "sorted by gap" exits 0 three.csv --format csv --sort gap --solvers naive,tflm,path-cover
tap_check "the smallest first, who is equal as given" tap_same "$(sed 1d out | cut -d, -f1)" "tflm
path-cover
naive"
tap_check "sorted by name" exits 0 three.csv --format csv --sort name --top 2 \
    --solvers tflm,path-cover,naive
tap_check "the first two" tap_same "$(sed 1d out | cut -d, -f1)" "naive
path-cover"
tap_check "sorted by time" exits 0 three.csv --format csv --sort time --solvers '@heuristics'
sed 1d out | cut -d, -f6 | grep . >seconds
tap_check "the fastest first" sort -g -c seconds
tap_check "an unknown order" refuses "did you mean 'gap'" three.csv --sort gaps

if "$arenabench" list solvers --format csv | grep -q '^exec,'; then
    cat "$top_srcdir/tests/support/stack.awk" >stack.awk
    tap_check "two commands" exits 0 three.csv --format csv \
        --solvers "exec:one=awk -f stack.awk,exec:two=awk -v 'a=x,y' -f stack.awk,naive"
    tap_check "stand side by side" tap_same "$(timeless | sed 1d | cut -d, -f1-3)" \
"exec:one,feasible,22
exec:two,feasible,22
naive,feasible,22"
    # At its limit it has a plan, which is kept.
    tap_check "a command with a limit of its own" exits 0 three.csv --format csv \
        --solvers "exec@2000ms:slow=awk -f stack.awk; sleep 60"
    tap_check "is cut by it" grep -q '^exec:slow,timeout,22,.*,2$' out
    tap_check "a program that answers nonsense" exits 1 three.csv --format csv \
        --solvers 'naive,exec:echo a,b,c'
    tap_check "is the only bad one" tap_same \
        "$(sed 1d out | grep -c -e ',invalid,' -e ',crashed,')" 1
else
    tap_skip "no exec in this build"
fi

# --- what fits ---

tap_check "a capacity" exits 0 three.csv --format csv --capacity 20B --solvers naive,greedy-by-size
tap_check "... says whose plan fits" tap_same "$(awk -F, '{ print $1, $NF }' out)" \
"solver fits
naive no
greedy-by-size yes"
tap_check "... and how many do" says '1 of 2 plans fit in 20 bytes' three.csv --capacity 20 \
    --solvers naive,greedy-by-size
tap_check "... or that none can" says 'fit in 14 bytes, and none can: the lower bound is above that' \
    three.csv --capacity 14 --solvers naive,greedy-by-size
tap_check "no capacity" refuses 'expected a number of bytes (2097152, 2MiB, 2MB) from 0' three.csv --capacity 2M
tap_check "no time" refuses 'expected a time (5, 5s, 500ms, 2min) from 0' three.csv --time-limit 5sec
tap_check "no memory" refuses 'expected a number of MiB (64, 64MiB, 2GB) from 0' three.csv --memory-limit 5Mb
tap_check "times and memory with units" exits 0 three.csv --time-limit 1500ms --memory-limit 2GB \
    --cpu-limit 1min --solvers naive --format csv
tap_check "... which are seconds" tap_same "$(sed 1d out | cut -d, -f11)" 1.5

# --- at a terminal ---

if script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "'$arenabench' compare three.csv --solvers naive,glpk,greedy-by-size,branch-and-bound:planner=off" \
        /dev/null 2>/dev/null | tr -d '\r' | sed -n '/solver  *outcome  *peak bytes/,$p' >shown
    tap_check "the best stands first, in units" tap_same "$(awk '$2 == "optimal" { print $3, $4 }
        $1 == "naive" { print NR, $3, $4 }' shown | sort -u)" \
"15 0.00
5 22 46.67"
    script -qec "'$arenabench' compare aligned.csv --solvers naive,nnc" /dev/null \
        2>/dev/null | tr -d '\r' >shown
    tap_check "who was skipped has a line together" grep -q '^[1-9] skipped, the first of them: ' shown
    tap_check "... and no row" sh -c "! grep -q '^[a-z-]*  *skipped' shown"
else
    tap_skip "no pseudo-terminal can be had here"
fi

tap_done
