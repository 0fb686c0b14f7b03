#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The binding for C++ against the library as it is built here.
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

setting()
{
    sed -n "s/^$1 = *//p" "${top_builddir:?}/Makefile"
}
compiler=${CXX:-c++}
# shellcheck disable=SC2086
if ! echo 'int main() { return 0; }' | $compiler -std=c++17 -x c++ -o "$tap_scratch/try" - 2>/dev/null; then
    tap_skip "there is no C++17 compiler"
    tap_done
    exit
fi

build()
{
    # shellcheck disable=SC2046,SC2086
    $compiler -std=c++17 -pedantic -Wall -Wextra -Wshadow -Wconversion -Werror $(setting SAN_FLAGS) \
        -I"$top_srcdir/bindings/cpp" -I"$top_srcdir/planner" -I"$top_builddir" -o "$tap_scratch/program" \
        "$top_srcdir/tests/planner/alone/bindings.cc" "$top_builddir/planner/libarenaplan.a" -lm
}

tap_check "it compiles without a warning" build
tap_check "and does what it says" "$tap_scratch/program"
tap_done
