#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A program that was compiled with an earlier libarenaplan.h goes on working: the library's functions
# and the types of its header against those of arenaplan.abi beside this script, by libabigail.
#
#   abi.sh write    writes that file anew, on purpose (x86-64)
#
# What t_abi holds without it: sizes, places of members and constants.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
made=${top_builddir:?}/amalgamation
known=$top_srcdir/tests/planner/alone/arenaplan.abi

command -v abidw >/dev/null && command -v abidiff >/dev/null || {
    tap_skip "abidw and abidiff (abigail-tools) are not here"
    tap_done
    exit
}
[ "$(uname -m)" = x86_64 ] || {
    tap_skip "arenaplan.abi is of x86-64"
    tap_done
    exit
}
mkdir "$tap_scratch/include" && cp "$made/arenaplan.h" "$tap_scratch/include/" &&
    cp "$made/arenaplan.c" "$tap_scratch/" || exit 99
known=$(cd "$(dirname "$known")" && pwd)/arenaplan.abi
cd "$tap_scratch" || exit 99

# With what describes types, which the installed one may lack.
library()
{
    gcc -std=c11 -g -O1 -ffp-contract=off -fPIC -shared -Wl,-soname,libarenaplan.so.1 -Iinclude \
        -o "$1" arenaplan.c -lm
}

describe()
{
    abidw --headers-dir include --drop-private-types --no-corpus-path --no-comp-dir-path \
        --no-show-locs --type-id-style hash "$1"
}

same_abi()
{
    abidiff --headers-dir1 include --headers-dir2 include "$known" "$1"
}

if [ "${1-}" = write ]; then
    library now.so && describe now.so >"$known"
    exit
fi
tap_check "compiles" library now.so
tap_check "functions and types are those that programs know" same_abi now.so

# What would break them is seen.
sed -i 's/^\(  *\)int64_t peak;/\1int32_t peak;/' include/arenaplan.h
tap_check "with a member of another size it compiles" library other.so
tap_check "and that is another ABI" sh -c '! abidiff "$1" other.so' sh "$known"
tap_done
