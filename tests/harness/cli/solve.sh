#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command solve: its plan, its summary, its exit statuses, its messages.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_command=solve
. "$top_srcdir/tests/support/command.sh"

# Buffers a and b touch; c overlaps both: load and optimum 15.
printf 'id,lower,upper,size\na,0,2,10\nb,2,4,7\nc,1,3,5\n' >three.csv
printf 'id,lower,upper,size\n' >none.csv
printf 'id,lower,upper,size,offset\na,0,2,10,0\n' >plan.csv

plan='id,lower,upper,size,offset
a,0,2,10,0
b,2,4,7,0
c,1,3,5,10'

tap_check "a plan" exits 0 three.csv --solver greedy-by-size
tap_check "as CSV" tap_same "$(cat out)" "$plan"
tap_check "one line of summary" tap_same "$(sed 's/[0-9.]* s$/T s/' err)" \
    "greedy-by-size on three.csv: optimal, peak 15, lower bound 15, load 15, T s"
tap_check "into a file" exits 0 --solver greedy-by-size --output out.csv three.csv
tap_check "the same plan" tap_same "$(cat out.csv)" "$plan"
tap_check "nothing on standard output" tap_same "$(cat out)" ""
tap_check "nothing is left beside it" tap_same "$(find . -name 'out.csv*')" ./out.csv
tap_check "the verifier agrees" "$arenabench" verify three.csv out.csv

# Odd names and an empty buffer: a reader of JSON finds what stands in the CSV.
printf 'id,lower,upper,size\nq"\\n,-2,3,10\nz,0,1,0\nb<é>,2,4,7\n' >odd.csv
printf 'id,lower,upper,size\nz,0,1,0\n' >empty.csv
same_rows()
{
    exits 0 "$1" --solver greedy-by-size --output out.json &&
        exits 0 "$1" --solver greedy-by-size --output out.csv &&
        python3 -c 'import csv, json
rows = json.load(open("out.json", encoding="utf-8"))
assert all(type(row[name]) is int for row in rows for name in ("lower", "upper", "size", "offset"))
want = list(csv.DictReader(open("out.csv", encoding="utf-8")))
assert want and [{name: str(row[name]) for name in row} for row in rows] == want, (rows, want)'
}
if command -v python3 >/dev/null; then
    for file in three.csv odd.csv empty.csv; do
        tap_check "as JSON, which is the same: $file" same_rows $file
    done
else
    tap_skip "python3 is not here"
fi
tap_check "limits and seed" exits 0 three.csv --solver path-cover:choice=last --time-limit 5 \
    --memory-limit 512 --work-limit 100 --seed 4294967295

# What was counted, which is nothing where there is no search.
one_order="statistic,value,unit,title
decodings,1,orders,of all buffers that were placed"
tap_check "statistics" exits 0 three.csv --solver annealing --statistics --format csv \
    --output out.csv
tap_check "as a table of their own" tap_same "$(cat out)" "$one_order"
tap_check "beside a plan" exits 0 three.csv --solver annealing --statistics --format csv
tap_check "which is as without them" tap_same "$(cat out)" "$plan"
tap_check "after the summary" tap_same "$(sed 1d err)" "$one_order"
tap_check "of no search" exits 0 three.csv --solver naive --statistics --format csv --output out.csv
tap_check "none" tap_same "$(cat out)" "statistic,value,unit,title"
tap_check "in no other format" refuses "--format html: expected text, csv or json" three.csv \
    --solver naive --statistics --format html
rows()
{
    "$arenabench" list statistics --format csv
}
tap_check "and which there are" tap_same "$(rows | grep '^decodings,')" \
    "decodings,orders,of all buffers that were placed"

# The gap gadget: load 4, optimum 5.
printf 'id,lower,upper,size\na,0,1,2\nb,0,2,2\nc,1,3,1\nd,1,4,1\ne,2,4,1\nf,3,5,2\ng,4,5,2\n' >gap.csv
tap_check "a certificate" exits 0 gap.csv --solver branch-and-bound --output gap-plan.csv \
    --certificate gap.txt
tap_check "is checked" "$arenabench" verify gap.csv gap-plan.csv --certificate gap.txt
verified()
{
    "$arenabench" verify "$1" "$2" --certificate "$3"
}
tap_check "and says what it proves" tap_same "$(verified gap.csv gap-plan.csv gap.txt | sed -n 2p)" \
    "certificate: no plan has a peak below 5; this one is optimal"
counted()
{
    verified gap.csv gap-plan.csv gap.txt | grep '^checked: [1-9][0-9]* steps, .* bytes, [0-9.]* s$'
}
tap_check "and how long that is" counted
sed 's/capacity 4/capacity 5/' gap.txt >more.txt
tap_check "one that says more is refused" tap_exits 1 verified gap.csv gap-plan.csv more.txt
tap_check "with its place" grep -q '^refused: more\.txt:[0-9]*: ' out
tap_check "so is another instance's" tap_exits 1 verified three.csv out.csv gap.txt
tap_check "and one that is not there" tap_exits 2 verified gap.csv gap-plan.csv no.txt
tap_check "a plan that is not optimal has none" exits 1 gap.csv --solver naive --certificate n.txt
tap_check "and leaves no file" tap_same "$(find . -name 'n.txt*')" ""
if grep -q '^SAN_FLAGS = *$' "$top_builddir/Makefile"; then
    tap_check "nor has one that is too large for the memory" fails \
        'no certificate: out of memory' uniform:n=800 --solver greedy-by-size --memory-limit 8 \
        --certificate n.txt
else
    tap_skip "a certificate without memory: sanitizers need all addresses"
fi
tap_check "and leaves no file" tap_same "$(find . -name 'n.txt*')" ""
tap_check "nor does a folder that is not there" exits 2 gap.csv --solver naive --certificate no/n.txt

# Over a million incidences of buffers and sections: the planner alone, in some 10 MiB, where
# the search would take a hundred.
large()
{
    says ': feasible, ' uniform:n=3200 --solver branch-and-bound --work-limit 100 --memory-limit 32
}
if grep -q '^SAN_FLAGS = *$' "$top_builddir/Makefile"; then
    tap_check "a very large instance in little memory" large
else
    tap_skip "a very large instance in little memory: sanitizers need all addresses"
fi

tap_check "no buffers" exits 0 none.csv --solver naive
tap_check "a header only" tap_same "$(cat out)" id,lower,upper,size,offset

tap_check "no solver" refuses --solver three.csv
tap_check "an unknown solver" refuses "did you mean 'path-cover'" three.csv --solver path-cove
tap_check "a plan where an instance is wanted" refuses offset plan.csv --solver naive
tap_check "a seed of 0" refuses '--seed 0' three.csv --solver naive --seed 0
tap_check "a folder that is not there" refuses no/where.csv three.csv --solver naive \
    --output no/where.csv
tap_check "a full device" fails 'No space left' three.csv --solver naive --output /dev/full
full()
{
    "$arenabench" solve three.csv --solver naive >/dev/full 2>err
    tap_same "$?" 1 && grep -q 'No space left' err
}
tap_check "standard output is full" full

if "$arenabench" list solvers --format csv | grep -q '^exec,'; then
    tap_check "a program without an answer" exits 1 three.csv --solver exec:true --output bad.csv
    tap_check "leaves no file" tap_same "$(find . -name 'bad.csv*')" ""
    tap_check "an overlap is invalid" fails invalid three.csv \
        --solver 'exec:printf "id,offset\na,0\nb,0\nc,9\n"'
    tap_check "and not printed" tap_same "$(cat out)" ""
else
    tap_skip "no exec in this build"
fi
tap_done
