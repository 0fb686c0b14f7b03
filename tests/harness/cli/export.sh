#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# solve --export-model: another solver (cbc) finds the same optimum in the files.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_command=solve
. "$top_srcdir/tests/support/command.sh"

# Load and optimum 15.
printf 'id,lower,upper,size\na,0,2,10\nb:x/y-z,2,4,7\nc,1,3,5\n' >three.csv
# Two hooks of 3 bytes that interlock in 4; as rectangles they take 6.
printf 'id,lower,upper,size,gaps\na,0,2,3,0-1@0:1\nb,0,2,3,1-2@2:3\n' >hooks.csv
# The load is 12; with b at a multiple of 4 above a, or below it at 0, 13 bytes are needed.
printf 'id,lower,upper,size,alignment\na,0,2,5,4\nb,0,2,7,8\n' >aligned.csv
# The last bytes of both are never used, but count: 10 + 5.
printf 'id,lower,upper,size,gaps\na,0,2,10,0-2@0:5\nb,0,2,10,0-2@0:5\n' >unused.csv
printf 'id,lower,upper,size\n' >none.csv

tap_check "CPLEX LP" exits 0 three.csv --export-model three.lp
tap_check "nothing is printed" tap_same "$(cat out err)" ""
tap_check "the peak is minimised" grep -q 'bytes: + peak' three.lp
tap_check "offsets have the buffers' names" grep -q offset_b_x_y_z three.lp
tap_check "and so have orders" grep -q below_a_c three.lp
tap_check "free MPS" exits 0 three.csv --export-model three.mps --solver glpk:model=bigm
tap_check "has the same columns" grep -q ' below_a_c ' three.mps
tap_check "and ends" tap_same "$(tail -n 1 three.mps)" ENDATA
tap_check "big M has fewer rows" test "$(grep -c '^ G' three.mps)" -lt "$(grep -c '^ r_' three.lp)"
tap_check "nothing is left beside them" tap_same "$(find . -name 'three.[lm]*.*')" ""

tap_check "another name" refuses '.lp or .mps' three.csv --export-model three.txt
tap_check "a solver without a model" refuses naive three.csv --export-model a.lp --solver naive
tap_check "an unknown one" refuses "'glp'" three.csv --export-model a.lp --solver glp
tap_check "a folder that is not there" fails no/a.lp three.csv --export-model no/a.lp
ln -s /dev/null null.lp
tap_check "a device" fails 'not a regular file' three.csv --export-model null.lp
tap_check "pairs beyond max-pairs" fails max-pairs=1 three.csv --solver glpk:max-pairs=1 \
    --export-model pairs.lp
tap_check "and there is no file" test ! -e pairs.lp

# same PEAK INSTANCE [SOLVER]: cbc's optimum of both files.
same()
{
    for file in model.lp model.mps; do
        "$arenabench" solve "$2" --export-model "$file" --solver "${3-glpk}" || return 1
        cbc "$file" solve >log 2>&1
        tap_same "$(sed -n -e 's/^Objective value: *\([0-9]*\)\.0*$/\1/p' \
            -e 's/^Optimal - objective value \([0-9]*\)$/\1/p' log | tail -n 1)" "$1" || return 1
    done
}

# optimum INSTANCE: by the search, which knows nothing of the model.
optimum()
{
    "$arenabench" solve "$1" --solver branch-and-bound 2>&1 >plan.csv |
        sed -n 's/.*: optimal, peak \([0-9]*\),.*/\1/p'
}

if command -v cbc >/dev/null 2>&1; then
    tap_check "cbc: three buffers" same 15 three.csv
    tap_check "pieces" same 4 hooks.csv
    tap_check "their rectangles" same 6 hooks.csv glpk:pieces=off
    tap_check "pieces with big M" same 4 hooks.csv glpk:model=bigm
    tap_check "alignments" same 13 aligned.csv
    tap_check "bytes that are never used" same 15 unused.csv
    tap_check "big M counts them too" same 15 unused.csv glpk:model=bigm
    tap_check "no buffers" same 0 none.csv
    for instance in gadget:repeat=1 uniform:n=9,seed=4 uniform:n=10,seed=2 heavy:n=10,seed=3; do
        tap_check "$instance" same "$(optimum "$instance")" "$instance"
        tap_check "$instance with big M" same "$(optimum "$instance")" "$instance" glpk:model=bigm
    done
else
    tap_skip "cbc is not installed"
fi
tap_done
