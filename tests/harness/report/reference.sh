#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The runs that results/reference/runs.csv has: some of each heuristic are run again, and a change
# to a planner would be seen.  `make check-reference` has them all.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
arenabench=${top_builddir:?}/arenabench
reference=$top_srcdir/results/reference/runs.csv
ARENABENCH_DATA=
export ARENABENCH_DATA
cd "$tap_scratch" || exit 99

# What the file has beside the experiments that make check-reference runs, and the other way round.
named()
{
    sed -n 's/^reference_experiments = //p' "$top_srcdir/Makefile.am" | tr ' ' '\n' | sort >named
    sed '1d; s/,.*//' "$reference" | sort -u | comm -3 - named
}

# Planners that no row of the file is about, but for those whose searches a limit would cut.
missing()
{
    "$arenabench" list solvers --format csv | sed '1d; s/,.*//' | while read -r solver; do
        case $solver in exec | minimalloc | model-ilp | supermalloc) continue ;; esac
        cut -d, -f3 "$reference" | grep -q "^$solver\(:.*\)\{0,1\}\$" || echo "$solver"
    done
}

tap_check "the file has what make check-reference runs" tap_nothing named
tap_check "... every planner" tap_nothing missing
tap_check "... in less than a megabyte" test "$(wc -c <"$reference")" -lt 1000000
# Runs that are another one now, but for those that a limit cut and those that are left out here.
changed()
{
    "$arenabench" diff "$1" again --format csv | sed 1d | grep -v -e '^gone,' -e '-in-time,' -e ',timeout,'
}

tap_check "a part of it again" tap_exits 0 "$arenabench" sweep 'uniform:n=60,seed={1..3}' \
    'planted:n=200,seed={1,2}' 'random-dag:n=60,seed={1..3}' mobilenet_v2:fuse=all \
    --solvers @heuristics --name field --time-limit 0.3 --output again
tap_check "... gives the same" tap_nothing changed "$reference"
tap_check "... of hundreds of runs" grep -q '^[3-9][0-9][0-9] runs in both' <<END
$("$arenabench" diff "$reference" again)
END

# As if planners had been better, and worse, then; of the runs in both, since any that is gone is a failure.
"$arenabench" report again --runs again.csv >/dev/null 2>&1
awk -F, -v OFS=, '/^field,uniform:n=60,greedy-by-size,/ { $8-- } /^field,uniform:n=60,iree,/ { $8++ } 1' \
    again.csv >other.csv
tap_check "plans that got worse or better are seen" tap_same \
    "$(changed other.csv | cut -d, -f1-4)" "worse,field,uniform:n=60,greedy-by-size
better,field,uniform:n=60,iree"
tap_check "... worse is a failure" tap_exits 1 "$arenabench" diff other.csv again
tap_check "... and nothing else was" tap_exits 0 "$arenabench" diff again.csv again
tap_done
