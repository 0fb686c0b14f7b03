#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A program that was compiled with an earlier libarenaplan.h goes on working: the library's functions
# and the types of its header against those of arenaplan.abi beside this script, by libabigail; and
# against those of version 1.0, arenaplan-1.0.abi, to which functions may have come but none gone.
#
#   abi.sh write    writes that file anew, on purpose (x86-64)
#
# What t_abi holds without it: sizes, places of members and constants.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
made=${top_builddir:?}/amalgamation
known=$top_srcdir/tests/planner/alone/arenaplan.abi

command -v abidw >/dev/null && command -v abidiff >/dev/null ||
    tap_skip_all "abidw and abidiff (abigail-tools) are not here"
[ "$(uname -m)" = x86_64 ] || tap_skip_all "arenaplan.abi is of x86-64"
[ -z "$(tap_setting SAN_FLAGS)" ] || tap_skip_all "built with sanitizers: what is compiled here has none"
mkdir "$tap_scratch/include" && cp "$made/arenaplan.h" "$tap_scratch/include/" &&
    cp "$made/arenaplan.c" "$tap_scratch/" || exit 99
known=$(cd "$(dirname "$known")" && pwd)/arenaplan.abi
first=${known%.abi}-1.0.abi
cd "$tap_scratch" || exit 99

# With what describes types, which the installed one may lack.  Types do not depend on the optimiser.
library()
{
    so=$1
    shift
    gcc -std=c11 -g -O0 -fPIC -shared -Wl,-soname,libarenaplan.so.1 -Iinclude \
        "$@" -o "$so" arenaplan.c -lm
}

describe()
{
    abidw --headers-dir include --drop-private-types --no-corpus-path --no-comp-dir-path \
        --no-show-locs --type-id-style hash "$1"
}

same_abi()
{
    abidiff "$known" "$1"
}

# All of version 1.0 is there as it was.
keeps_first()
{
    abidiff --no-added-syms "$first" "$1"
}

if [ "${1-}" = write ]; then
    library now.so && describe now.so >"$known"
    exit
fi
tap_check "compiles" library now.so
tap_check "functions and types are those that programs know" same_abi now.so
tap_check "and those of version 1.0 are among them" keeps_first now.so

# What would break them is seen.
tap_check "without one of its functions it compiles" library less.so -Darenaplan_statistic_name=gone
tap_check "and that is another ABI" sh -c '! abidiff "$1" less.so' sh "$known"
tap_check "and not that of 1.0" sh -c '! abidiff --no-added-syms "$1" less.so' sh "$first"
sed -i 's/^\(  *\)int64_t peak;/\1int32_t peak;/' include/arenaplan.h
tap_check "with a member of another size it compiles" library other.so
tap_check "and that is another ABI" sh -c '! abidiff "$1" other.so' sh "$known"
tap_check "and not that of 1.0" sh -c '! abidiff --no-added-syms "$1" other.so' sh "$first"
tap_done
