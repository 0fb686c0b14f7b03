#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run_sweep: what it runs, with which arguments, and how it ends.  bootstrap,
# make and the program are played by stand-ins.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

root="$tap_scratch/a clone"
calls=$tap_scratch/calls
mkdir "$root" "$tap_scratch/bin" "$tap_scratch/elsewhere"
cp "$top_srcdir/run_sweep" "$root/"

# stand_in FILE STATUS TEXT: notes its call, says TEXT, ends with STATUS.
stand_in()
{
    printf '#!/bin/sh\necho "%s $*" >>"%s"\necho "%s"\nexit %s\n' "${1##*/}" "$calls" "$3" "$2" >"$1"
    chmod +x "$1"
}

# The program: sweep ends with SWEPT, report with REPORTED.
program()
{
    printf '#!/bin/sh\necho "arenabench $*" >>"%s"\ncase $1 in sweep) exit %s ;; esac\nexit %s\n' \
        "$calls" "$1" "$2" >"$root/arenabench"
    chmod +x "$root/arenabench"
}

# run [ARGUMENT...] from another folder.
run()
{
    : >"$calls"
    (cd "$tap_scratch/elsewhere" && PATH="$tap_scratch/bin:$PATH" "$root/run_sweep" "$@") \
        >"$tap_scratch/out" 2>&1
    status=$?
}

# The calls after set-up and build.
then_called()
{
    tap_same "$(grep '^arenabench' "$calls" | sed "s|$tap_scratch|T|g" | tr '\n' '|')" "$1"
}

says()
{
    grep -q -e "$1" "$tap_scratch/out" || {
        cat "$tap_scratch/out"
        return 1
    }
}

stand_in "$root/bootstrap" 0 ""
stand_in "$tap_scratch/bin/make" 0 ""
program 0 0
run
tap_check "done: status 0" tap_same "$status" 0
tap_check "bootstrap comes first, then make" tap_same \
    "$(sed 's/ .*//' "$calls" | tr '\n' ' ')" "bootstrap make arenabench arenabench "
tap_check "the results are the project's, wherever it was started" then_called \
    "arenabench sweep --output T/a clone/results/quick|arenabench report T/a clone/results/quick|"
tap_check "it says where the figures are" says "figures in $root/results/quick/figures"
run --full gap --jobs 3 bound
tap_check "--full, names and --jobs go to the sweep" then_called \
    "arenabench sweep --output T/a clone/results/full --full gap --jobs=3 bound|arenabench report \
T/a clone/results/full|"
run --force='naive*' --retry-failed
tap_check "--force with its pattern too" then_called \
    "arenabench sweep --output T/a clone/results/quick --force=naive* --retry-failed|arenabench \
report T/a clone/results/quick|"
run --output here
tap_check "--output is seen from where the user stands" then_called \
    "arenabench sweep --output T/elsewhere/here|arenabench report T/elsewhere/here|"
run --output=/some/where/else
tap_check "or absolute" then_called \
    "arenabench sweep --output /some/where/else|arenabench report /some/where/else|"
run --dry-run
tap_check "--dry-run reports nothing" then_called \
    "arenabench sweep --output T/a clone/results/quick --dry-run|"

# The program says where it was told to look for real inputs.
cp "$root/arenabench" "$tap_scratch/program"
printf '#!/bin/sh\necho "arenabench ${ARENABENCH_DATA-none}" >>"%s"\n' "$calls" >"$root/arenabench"
ARENABENCH_DATA=inputs run
tap_check "ARENABENCH_DATA too" then_called \
    "arenabench T/elsewhere/inputs|arenabench T/elsewhere/inputs|"
(unset ARENABENCH_DATA && run)
tap_check "without it the program is not told" then_called "arenabench none|arenabench none|"
mv "$tap_scratch/program" "$root/arenabench"

run --help
tap_check "--help: status 0" tap_same "$status" 0
tap_check "and nothing is run" tap_same "$(cat "$calls")" ""
for wrong in --nonsense -x --output --jobs; do
    run $wrong
    tap_check "$wrong alone: status 2" tap_same "$status" 2
    tap_check "and nothing is run" tap_same "$(cat "$calls")" ""
done

program 1 0
run
tap_check "a violation: the sweep's status" tap_same "$status" 1
tap_check "is still reported" grep -q '^arenabench report' "$calls"
program 2 0
run
tap_check "bad usage: status 2" tap_same "$status" 2
tap_check "has no report" then_called "arenabench sweep --output T/a clone/results/quick|"
program 0 1
run
tap_check "a report that fails: status 1" tap_same "$status" 1

stand_in "$tap_scratch/bin/make" 2 "error: the sky is falling"
run
tap_check "a build that fails: status 1" tap_same "$status" 1
tap_check "shows why" says 'the sky is falling'
tap_check "and sweeps nothing" then_called ""
stand_in "$root/bootstrap" 2 ""
run
tap_check "missing packages: status 2" tap_same "$status" 2
tap_check "and nothing is built" tap_same "$(grep -c '^make' "$calls")" 0
tap_done
