#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The checker of certificates and one that shares nothing with it, in Python, agree.
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

cd "$tap_scratch" || exit 99
python3 -c 'import csv' 2>/dev/null || tap_skip_all "python3 is not here"
"${top_builddir:?}/tests/lib/judge/make_certificates" 60 >ours
plain()
{
    # shellcheck disable=SC2046 # names without blanks
    python3 "$top_srcdir/tests/oracles/check_certificate.py" $(cut -d ' ' -f 1,2 ours)
}
plain >said
sed -e 's/ refused: .*/ refused/' -e 's/ no plan has a peak below / /' said >theirs
cut -d ' ' -f 2,3 ours >wanted
agree()
{
    diff wanted theirs
}
tap_check "both say the same of $(grep -c . ours) certificates" agree
whole()
{
    grep -- '-0\.txt ' ours | grep refused
}
tap_check "those that were not tampered with are accepted" tap_nothing whole
none()
{
    [ "$(grep -c refused ours)" -gt 100 ]
}
tap_check "others are refused" none
tap_done
