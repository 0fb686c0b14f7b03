#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The adapter for MiniMalloc's tool, with a stand-in that answers as the tool does (status 0 and a
# plan, or 1), and with the tool itself where it is installed.
# shellcheck disable=SC2317 # functions are called through tap_check
# shellcheck disable=SC2016 # what stands in single quotes is for the stand-in
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

arenabench=$(cd "${top_builddir:?}" && pwd)/arenabench
cd "$tap_scratch" || exit 99
unset ARENABENCH_DATA
cp "$top_srcdir/programs/minimalloc.sh" . || exit 99
mkdir tmp
TMPDIR=$tap_scratch/tmp
export TMPDIR

# What it is asked goes into the file asked.  For a generous capacity it answers with a poor plan.
cat >tool <<'END'
#!/bin/sh
for flag; do
    case $flag in
    --capacity=*) capacity=${flag#*=} ;;
    --input=*) input=${flag#*=} ;;
    --output=*) output=${flag#*=} ;;
    esac
done
echo "$*" >>asked
cp "$input" input
for solver in naive minimalloc; do
    "$ARENABENCH" solve "$input" --solver $solver --output "$output" 2>/dev/null || exit 9
    awk -F, -v c="$capacity" 'NR > 1 && $4 + $5 > c { exit 1 }' "$output" && exit 0
done
rm "$output"
exit 1
END
chmod +x tool
ARENABENCH=$arenabench
export ARENABENCH
adapter='exec:sh minimalloc.sh --tool=./tool'

# Load 4, optimum 5; and what is smaller than it looks.
printf 'id,lower,upper,size\na,0,1,2\nb,0,2,2\nc,1,3,1\nd,1,4,1\ne,2,4,1\nf,3,5,2\ng,4,5,2\nz,1,2,0\n' \
    >gap.csv
printf 'id,lower,upper,size,gaps\na,0,4,10,1-2@0:4 2-3\nb,1,3,6,\n' >gaps.csv
printf 'id,lower,upper,size,alignment\na,0,2,3,8\nb,0,2,3,8\n' >aligned.csv
printf 'id,lower,upper,size\nz,1,2,0\n' >none.csv

# ends STATUS FILE SOLVER PATTERN [OPTION...]
ends()
{
    status=$1 file=$2 solver=$3 pattern=$4
    shift 4
    : >asked
    tap_exits "$status" "$arenabench" solve "$file" --solver "$solver" "$@" &&
        grep -q -- "$pattern" err || {
        cat err
        return 1
    }
}

capacities()
{
    sed 's/--capacity=//; s/ .*//' asked | paste -sd ' '
}

# The sum of the sizes, the load, and half way between what is refuted and the best plan.
halving()
{
    ends 0 gap.csv "$adapter" ': feasible, peak 5, lower bound 4,' &&
        tap_same "$(capacities)" '11 4 8' &&
        awk -F, 'BEGIN { OFS = "," } NR > 1 { $4 *= 10 } { print }' gap.csv >tens.csv &&
        ends 0 tens.csv "$adapter" ': feasible, peak 50, lower bound 40,' &&
        tap_same "$(capacities)" '110 40 75 45 48 49'
}

told()
{
    ends 0 gap.csv "$adapter --check_dominance=false" ': feasible, peak 5' --time-limit 1000 &&
        tap_same "$(sed '1q' asked | sed 's|=[^ ]*/|=|g; s/=2[0-9]*ms/=TIME/')" \
            '--capacity=11 --input=in.csv --output=out.csv --timeout=TIME --check_dominance=false' &&
        ends 0 gap.csv "$adapter" ': feasible, peak 5' --time-limit 0 && ! grep timeout asked &&
        ! grep '^z,' input
}

one_capacity()
{
    ends 0 gap.csv "$adapter --capacity=5" ': feasible, peak 5' && tap_same "$(wc -l <asked)" 1 &&
        ends 1 gap.csv "$adapter --capacity=4" ': crashed, .*no plan in 4 bytes'
}

as_ours()
{
    tap_exits 0 "$arenabench" agree minimalloc "$adapter" 15 --what peak --alignment 1 --buffers 10
}

aligned()
{
    ends 0 aligned.csv "$adapter" ': feasible, peak 11,'
}

shapes()
{
    ends 0 gaps.csv 'exec:shapes=on,command=sh minimalloc.sh --tool=./tool' ': optimal, peak 10' &&
        grep -q '^a,0,4,10,1-2@0:4 2-3$' input
}

refusals()
{
    ends 1 gap.csv 'exec:sh minimalloc.sh --tool=./nowhere' ': crashed, .*nowhere: not found' &&
        ends 1 gap.csv 'exec:sh minimalloc.sh --tool=false --capacity=5' 'no plan in 5 bytes' &&
        ends 1 gap.csv 'exec:sh minimalloc.sh --tool=true' 'ended with status 0 and no output' &&
        ends 1 gap.csv "$adapter --capacity=5k" 'capacity=5k: expected a number of bytes'
}

tap_check "capacities are halved down to the optimum" halving
tap_check "the tool is told files, time and flags, and no empty buffers" told
tap_check "one capacity" one_capacity
tap_check "the peaks of our minimalloc" as_ours
tap_check "alignments" aligned
tap_check "gaps" shapes
tap_check "buffers of size 0 only" ends 0 none.csv "$adapter" ': optimal, peak 0'
tap_check "what does not work is said" refusals
tap_check "it leaves nothing behind" tap_same "$(ls tmp)" ''
if command -v minimalloc >/dev/null; then
    adapter='exec:sh minimalloc.sh'
    tap_check "MiniMalloc itself: the peaks of ours" as_ours
else
    tap_skip "MiniMalloc itself: no minimalloc"
fi
tap_done
