#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Instances with fixed offsets on the command line: the parameter fixed of a CSV file.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_command=
. "$top_srcdir/tests/support/command.sh"

# Input and output lie at 32, where the device reads and writes them; work is free.
cat >io.csv <<'EOF'
id,lower,upper,size,alignment,offset
in,0,2,16,16,32
work,0,4,24,8,
wide,1,3,20,8,
out,2,4,16,16,37
EOF
cat >keeps.csv <<'EOF'
id,offset
in,32
work,0
wide,56
out,37
EOF
sed 's/^out,2,4,16,16,37/out,2,4,16,16,1008/' io.csv >high.csv
sed 's/^in,32/in,80/' keeps.csv >moves.csv
sed 's/^out,2,4/out,1,4/' io.csv >overlap.csv

# judges TEXT ARGUMENT...: status 1 with TEXT in its output.
judges()
{
    text=$1
    shift
    exits 1 "$@" && has "$text" out
}

tap_check "without the parameter it is no instance" refuses 'FILE:fixed=on' lifetimes io.csv
tap_check "with it it is" prints 'in,0,2,16,1,32' lifetimes io.csv:fixed=on
tap_check "its name alone will do" prints 'work,0,4,24,8,' lifetimes io.csv:fixed
again()
{
    "$arenabench" lifetimes io.csv:fixed >again.csv &&
        "$arenabench" lifetimes again.csv:fixed | cmp - again.csv
}
tap_check "what is written is read again" again
standard_input()
{
    "$arenabench" lifetimes -- -:fixed <io.csv | cmp - again.csv
}
tap_check "from standard input too" standard_input
mkdir plain && cut -d, -f1-4 io.csv >plain/io.csv
tap_check "without the column" refuses "plain/io.csv:1:20: no column 'offset'" lifetimes plain/io.csv:fixed
tap_check "what overlaps is refused" refuses \
    "overlap.csv:5:1: buffers 'in' at [32, 48) and 'out' at [37, 53), whose offsets are fixed" \
    lifetimes overlap.csv:fixed
tap_check "no end of a fixed buffer is above the load" prints ',60,3,' bounds --format csv io.csv:fixed
tap_check "path-cover's bounds do not hold" prints 'offsets are fixed' bounds io.csv:fixed
tap_check "a plan that keeps them" prints 'valid: peak 76' verify io.csv:fixed keeps.csv
tap_check "one that does not" judges "'in': offset 80, but it is fixed at 32" \
    verify io.csv:fixed moves.csv
tap_check "a planner that can't" fails "can't keep fixed offsets" \
    solve io.csv:fixed --solver greedy-by-size
tap_check "writes nothing" tap_same "$(cat out)" ""
tap_check "branch-and-bound can" says 'optimal, peak 76, lower bound 76, load 60' \
    solve io.csv:fixed --solver branch-and-bound --output best.csv
tap_check "the verifier agrees" prints 'valid: peak 76' verify io.csv:fixed best.csv
tap_check "section-first too" says 'peak 76' \
    solve io.csv:fixed --solver section-first --output best.csv
tap_check "others are skipped in a comparison" prints "can't keep fixed offsets" \
    compare io.csv:fixed --solvers branch-and-bound,tflm
tap_check "models can't" refuses "can't keep fixed offsets" \
    solve io.csv:fixed --export-model m.lp
tap_check "none is there" tap_same "$(find . -name 'm.lp*')" ""
tap_check "certificates can" says "the solver's own proof, checked" \
    solve io.csv:fixed --solver branch-and-bound --output best.csv --certificate proof.txt
tap_check "and name them" tap_same "$(grep '^fixed' proof.txt | tr '\n' ' ')" 'fixed 1 32 fixed 4 37 '
tap_check "the checker follows" prints 'no plan has a peak below 76; this one is optimal' \
    verify io.csv:fixed best.csv --certificate proof.txt
if python3 -c 'import csv' 2>/dev/null; then
    tap_check "the plain one, too" tap_same \
        "$(python3 "$top_srcdir/tests/oracles/check_certificate.py" io.csv:fixed proof.txt)" \
        'proof.txt no plan has a peak below 76'
else
    tap_skip "python3 is not here"
fi
sed 's/,37$/,38/' io.csv >moved.csv
sed 's/^\(out.*\),37$/\1,38/' best.csv >moved_best.csv
tap_check "of other offsets it says nothing" judges 'not of this instance' \
    verify moved.csv:fixed moved_best.csv --certificate proof.txt
tap_check "what a fixed buffer's end proves" says 'certificate: made after the run' \
    solve high.csv:fixed --solver section-first --output best.csv --certificate proof.txt
tap_check "takes a line" prints 'no plan has a peak below 1024; this one is optimal' \
    verify high.csv:fixed best.csv --certificate proof.txt
tap_check "a dump of MegEngine's loses them, and says so" says 'the fixed ones are lost' \
    lifetimes --format megengine io.csv:fixed
tap_done
