#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The contract of PROGRAMS.md: what a program of the user's own is told, what it may answer and
# what comes of it.  exec.sh has its processes and a sweep that knows its files, t_solvers_exec.c
# what goes wrong.
# shellcheck disable=SC2317 # functions are called through tap_check
# shellcheck disable=SC2016 # what stands in single quotes is for the commands' shell
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

. "$top_srcdir/tests/support/command.sh"
unset ARENABENCH_DATA

printf 'id,lower,upper,size\na,0,2,10\nb,2,4,7\nc,1,3,5\n' >three.csv
plan='id,offset\na,0\nb,0\nc,10\n'
cat "$top_srcdir/tests/support/stack.awk" >stack.awk

# solved COMMAND [OPTION...]: three.csv has a plan by it.
solved()
{
    command=$1
    shift
    exits 0 solve three.csv "$@" --solver "exec:$command"
}

# --- starting ---

where_it_is()
{
    mkdir -p sub && cd sub && cp ../three.csv . &&
        solved "[ -f three.csv ] && printf '$plan'"
    status=$?
    cd .. && return $status
}

each_anew()
{
    : >starts
    exits 0 agree naive "exec:echo >>starts; awk -f stack.awk" 5 --alignment 1 &&
        tap_same "$(wc -l <starts)" 5
}

body_by_body()
{
    : >starts
    exits 0 solve recurrence:depth=3,loops=unroll,subgraphs=buffers --time-limit 12 \
        --solver 'exec:echo "$ARENABENCH_TIME_LIMIT" >>starts; awk -f stack.awk' &&
        tap_same "$(awk '{ sum += $1 } END { print (NR > 1), sum }' starts)" '1 12' &&
        tap_same "$(sort -u starts | wc -l)" 1
}

tap_check "it starts in the current folder" where_it_is
tap_check "for each body of a loop that is planned by itself" body_by_body
tap_check "anew for each instance" each_anew

# --- the instance ---

# sees FILE TEXT [PARAMETERS]: a program gets TEXT for FILE.
sees()
{
    "$arenabench" solve "$1" --solver "exec:${3:+$3command=}cat >seen; exit 1" >out 2>err
    tap_same "$(cat seen)" "$(printf '%b' "$2")"
}

printf 'size,upper,id,lower\n3,0,late one,-7\n0,9,none,8\n4,5,B:/x,0\n' >mixed.csv
printf 'id,lower,upper,size,alignment\na,0,2,10,1\nb,2,4,7,8\n' >aligned.csv
printf 'id,lower,end,size\na,0,1,10\nb,2,3,7\n' >inclusive.csv
printf 'id,lower,upper,size,gaps\na,0,4,10,1-2@0:4 2-3\nb,1,3,6,\n' >gaps.csv

tap_check "four columns, rows in the instance's order, negative steps, empty buffers last" \
    sees mixed.csv 'id,lower,upper,size\nlate one,-7,0,3\nB:/x,0,5,4\nnone,8,9,0\n'
tap_check "alignments where one is above 1" \
    sees aligned.csv 'id,lower,upper,size,alignment\na,0,2,10,1\nb,2,4,7,8\n'
tap_check "always half-open ends" sees inclusive.csv 'id,lower,upper,size\na,0,2,10\nb,2,4,7\n'
tap_check "rectangles around pieces" sees gaps.csv 'id,lower,upper,size\na,0,4,10\nb,1,3,6\n'
tap_check "with shapes=on their gaps" \
    sees gaps.csv 'id,lower,upper,size,gaps\na,0,4,10,1-2@0:4 2-3\nb,1,3,6,\n' shapes=on,
tap_check "with shapes=on no column where there is no gap" \
    sees three.csv 'id,lower,upper,size\na,0,2,10\nb,2,4,7\nc,1,3,5\n' shapes=on,

# 10 bytes are enough for the pieces and 16 for the rectangles.
interlocking()
{
    interlock='printf "id,offset\na,0\nb,4\n"'
    exits 0 solve gaps.csv --solver "exec:shapes=on,command=$interlock" &&
        tap_says err 'optimal, peak 10, lower bound 10' &&
        exits 1 solve gaps.csv --solver "exec:$interlock" &&
        tap_says err ': invalid, .*overlap'
}

tap_check "with shapes=on the plan may interlock, without it not" interlocking

# --- the environment ---

variables()
{
    tap_same "$(sort <seen)" "$(printf '%b' "$1")"
}

tell='env | grep -E "^ARENABENCH_(SEED|TIME_LIMIT|MEMORY_LIMIT|WORK_LIMIT)=" >seen'

all_limits()
{
    solved "$tell; printf '$plan'" --seed 4294967295 --time-limit 7.5 --memory-limit 1024 \
        --work-limit 12 &&
        variables 'ARENABENCH_MEMORY_LIMIT=1073741824\nARENABENCH_SEED=4294967295
ARENABENCH_TIME_LIMIT=7.5\nARENABENCH_WORK_LIMIT=12\n'
}

# Half of the memory is the limit where none is stated.
no_limits()
{
    export ARENABENCH_SEED=9 ARENABENCH_TIME_LIMIT=9 ARENABENCH_WORK_LIMIT=9 ARENABENCH_MEMORY_LIMIT=9
    solved "$tell; printf '$plan'" --time-limit 0
    status=$?
    unset ARENABENCH_SEED ARENABENCH_TIME_LIMIT ARENABENCH_WORK_LIMIT ARENABENCH_MEMORY_LIMIT
    sed -i '/MEMORY_LIMIT=[1-9][0-9]\{5,\}$/d' seen
    [ $status = 0 ] && variables 'ARENABENCH_SEED=1\n'
}

others()
{
    MINE='a b' solved '[ "$MINE" = "a b" ] && printf "'"$plan"'"'
}

of_its_own()
{
    exits 0 compare three.csv --time-limit 9 \
        --solvers "exec@4s:$tell; printf '$plan'" && tap_says seen '^ARENABENCH_TIME_LIMIT=4$'
}

tap_check "seed and limits are in the environment" all_limits
tap_check "where there is no limit, no variable" no_limits
tap_check "the rest of the environment is as it was" others
tap_check "a limit of its own counts" of_its_own

# --- the answer ---

printf 'id,lower,upper,size,alignment,gaps\na,0,4,10,2,1-2@0:4 2-3\nb,1,3,6,1,\nz,1,2,0,1,\n' >full.csv

# answered FILE TEXT PATTERN: how the program that says TEXT ends.
answered()
{
    "$arenabench" solve "$1" --solver "exec:shapes=on,command=printf '$2'" >out 2>err
    tap_says err "$3"
}

tap_check "rows and columns in any order, without empty buffers" answered full.csv \
    'offset,id\n4,b\n0,a\n' ': optimal, peak 10'
tap_check "with lifetimes and sizes, and what the question has" answered full.csv \
    'id,lower,upper,size,alignment,gaps,offset\na,0,4,10,2,1-2@0:4 2-3,0\nb,1,3,6,1,,4\nz,1,2,0,1,,0\n' \
    ': optimal, peak 10'
tap_check "an inclusive end" answered three.csv 'id,lower,end,offset\na,0,1,0\nb,2,3,0\nc,1,2,10\n' \
    ': optimal, peak 15'
tap_check "another lifetime is refused" answered three.csv \
    'id,upper,offset\na,2,0\nb,5,0\nc,3,10\n' ': invalid, .*the half-open end of .b. is 5; expected 4'
tap_check "another size too" answered three.csv \
    'id,size,offset\na,10,0\nb,7,0\nc,6,10\n' ': invalid, .*the size of .c. is 6; expected 5'
tap_check "an offset that is no whole number too" answered three.csv \
    'id,offset\na,0\nb,0.5\nc,10\n' ": invalid, .*offset.*'0.5'"
tap_check "a multiple of the alignment is asked for" answered full.csv \
    'id,offset\na,1\nb,11\n' ': invalid, .*align'
tap_check "plans come one after the other, the best counts" answered three.csv \
    'id,offset\na,0\nb,0\nc,20\nid,offset\na,0\nb,0\nc,10\nid,offset\na,0\nb,0\nc,11\n' \
    ': optimal, peak 15'

# The curve of the figure anytime, from what the store knows.
in_its_course()
{
    exits 0 sweep three.csv --output course --time-limit 60 \
        --solvers "exec:two=printf 'id,offset\na,0\nb,0\nc,20\nid,offset\na,0\nb,0\nc,12\n'" &&
        exits 0 report course --figures anytime &&
        tap_says course/figures/adhoc-anytime.csv ',two,'
}

# --- limits ---

too_much_memory()
{
    exits 1 solve three.csv --memory-limit 100 \
        --solver 'exec:head -c 400000000 /dev/zero | tail -c 300000000 >/dev/null || exit 9' &&
        tap_says err ': memout, .*killed at the limit of memory, which all its processes share'
}
tap_check "the memory limit is one of all its processes" too_much_memory

# --- seeds, and the same again ---

draws='exec:seeded=on,name=draws,command=echo "$ARENABENCH_SEED" >>seeds; awk -f stack.awk'
keeps='exec:name=keeps,command=echo "$ARENABENCH_SEED" >>kept; awk -f stack.awk'

a_run_for_each_seed()
{
    exits 0 sweep three.csv --output seeded --seeds 3 --solvers "$draws" &&
        tap_same "$(sort seeds | tr '\n' ' ')" '1 2 3 '
}

the_first_seed_only()
{
    exits 0 sweep three.csv --output unseeded --seeds 3 --solvers "$keeps" &&
        tap_same "$(cat kept)" 1
}

tap_check "seeded=on: a sweep has a run for each seed" a_run_for_each_seed
tap_check "without it one, under the first seed" the_first_seed_only
tap_check "the steps of a run are kept with their times" in_its_course
tap_done
