#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/support/failures.awk finds in a log what failed, wherever it stands: in what a test prints,
# and in the logs that automake's driver makes of that.  build-aux/test-line makes one line a program
# of what the driver says.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
top_srcdir=$(cd "$top_srcdir" && pwd)
export top_srcdir
cd "$tap_scratch" || exit 99

cat >bad.sh <<'END_OF_TEST'
. "$top_srcdir/tests/support/tap.sh"
differs()
{
    echo 'first line'
    echo 'second line'
    false
}
tap_check "one" true
tap_check "two" differs
tap_check "three" echo 'no word of this'
tap_check "four" tap_same a b
tap_check "five" true
echo '# of no failure'
tap_done
END_OF_TEST

# found EXPECTED FILE...: the lines that are found in the files.
found()
{
    expected=$1
    shift
    tap_same "$(awk -f "$top_srcdir/tests/support/failures.awk" "$@")" "$expected"
}

sh ./bad.sh >said
tap_check "failed assertions and the lines below them" found "not ok 2 - two
# first line
# second line
not ok 4 - four
# got 'a', expected 'b'" said

# driver NAME [COMMAND]: automake's driver runs NAME.sh, below COMMAND.
driver()
{
    # shellcheck disable=SC2086 # none or one
    env AM_TAP_AWK=awk ${2:+sh "$2"} sh "$top_srcdir/build-aux/tap-driver.sh" --test-name "$1.sh" \
        --log-file "$1.log" --trs-file "$1.trs" --color-tests "${3:-no}" --enable-hard-errors yes \
        --expect-failure no -- sh "./$1.sh"
}
echo 'echo not a test' >none.sh
{
    driver bad && driver none
} >console 2>&1
tap_check "what make prints" found "FAIL: bad.sh 2 - two
FAIL: bad.sh 4 - four
ERROR: bad.sh - exited with status 1
ERROR: none.sh - missing test plan" console
tap_check "the logs of tests" found "not ok 2 - two
FAIL: bad.sh 2 - two
# first line
# second line
not ok 4 - four
FAIL: bad.sh 4 - four
# got 'a', expected 'b'
ERROR: bad.sh - exited with status 1
ERROR: none.sh - missing test plan" bad.log none.log
seq 1000 | sed 's/^/ok /' >>said
tap_check "of a log that goes on, all the same" found "not ok 2 - two
# first line
# second line
not ok 4 - four
# got 'a', expected 'b'" said
tap_check "nothing where nothing failed" found '' none.sh

# line EXPECTED NAME [COLOURS]: what is printed of NAME.sh, its time apart.
line()
{
    driver "$2" "$top_srcdir/build-aux/test-line" "${3:-no}" >console 2>&1 || return
    tap_same "$(sed 's/ \[[0-9]*\.[0-9] s\]$/ [time]/' console)" "$1"
}
printf 'echo "ok 1 - a"\necho "ok 2 - b # SKIP c: d"\necho "ok 3 # SKIP c: d"\necho 1..3\n' >some.sh
printf 'echo "ok 1 # SKIP no root"\necho 1..1\n' >skip.sh
printf 'seq -f "ok %%.0f - x" 2000\necho 1..2000\n' >good.sh
printf 'echo "ok 1 - x"\nkill -9 $$\n' >dead.sh
tap_check "one line for a program that passes" line "PASS: good.sh: 2000 [time]" good
tap_check "in colours too" line "PASS: good.sh: 2000 [time]" good yes
tap_check "what is skipped, each reason once" \
    line "PASS: some.sh: 3, 2 skipped (b # SKIP c: d; c: d) [time]" some
tap_check "and where that is all" line "SKIP: skip.sh: 1, 1 skipped (no root) [time]" skip
tap_check "below a line that says how many failed, what did" line "FAIL: bad.sh: 5, 2 failed [time]
not ok 2 - two
FAIL: bad.sh 2 - two
# first line
# second line
not ok 4 - four
FAIL: bad.sh 4 - four
# got 'a', expected 'b'
ERROR: bad.sh - exited with status 1" bad
tap_check "the end of the log of one that crashed" line "ERROR: dead.sh: 1 [time]
Killed
ok 1 - x
PASS: dead.sh 1 - x
ERROR: dead.sh - missing test plan
ERROR: dead.sh - exited with status 137 (terminated by signal 9?)" dead
# It ends when it has taken a second itself, whatever else the machine does.
cat >busy.sh <<'END'
until awk 'NR == 1 { split($1 " " $2, part, /[ms ]+/); exit !(part[2] + part[4] >= 1) }' times; do
    i=0
    while [ $i -lt 10000 ]; do i=$((i + 1)); done
    times >times
done 2>/dev/null
echo "ok 1 - busy"
echo 1..1
END
tap_check "processor time is told" line "PASS: busy.sh: 1 [time]" busy
tap_check "and is what it took" tap_says console '\[[1-9][0-9]*\.[0-9] s\]'
tap_check "all results are counted" tap_same "$(grep -c '^:test-result: PASS' good.trs)" 2000
tap_done
