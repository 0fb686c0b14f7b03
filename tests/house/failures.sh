#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/support/failures.awk finds in a log what failed, wherever it stands: in what a test prints,
# and in the logs that automake's driver makes of that.
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

driver()
{
    env AM_TAP_AWK=awk sh "$top_srcdir/build-aux/tap-driver.sh" --test-name "$1.sh" \
        --log-file "$1.log" --trs-file "$1.trs" --color-tests no --enable-hard-errors yes \
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
tap_done
