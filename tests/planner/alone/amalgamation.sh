#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The library as one file: it compiles alone, without a warning, as C11 and as C++, for this
# processor and others, and plans the same everywhere.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
made=${top_builddir:?}/amalgamation
program=$top_srcdir/tests/planner/alone/digest.c

setting()
{
    sed -n "s/^$1 = *//p" "$top_builddir/Makefile"
}

have()
{
    command -v "$1" >/dev/null 2>&1
}

# Both files are copied, and what the program has beside them, so that nothing else of the project can
# be found.
cd "$tap_scratch" || exit 99
mkdir -p alone/tests/support && cp "$made/arenaplan.c" "$made/arenaplan.h" alone/ &&
    cp "$top_srcdir/tests/support/drawn_problem.h" alone/tests/support/ && : >alone/config.h || exit 99

# as_c COMPILER TARGET [LINKED...]: a program as C11, with all that is asked of such code.
as_c()
{
    compiler=$1
    target=$2
    shift 2
    $compiler -std=c11 -pedantic -Wall -Wextra -Werror -O1 -ffp-contract=off -Ialone \
        -o "$target" alone/arenaplan.c "$program" -lm "$@"
}

# as_cxx COMPILER STANDARD OPTION...: the library as C++, which is asked as much of.
as_cxx()
{
    compiler=$1
    standard=$2
    shift 2
    $compiler -std="$standard" -pedantic -Wall -Wextra -Werror -Ialone -x c++ "$@" alone/arenaplan.c
}

# used_by_c COMPILER TARGET: a program of C with what that compiler has made of the library.  What takes
# an optimiser to see has been asked of it as C.
used_by_c()
{
    as_cxx "$1" c++17 -O0 -ffp-contract=off -c -o "$2.o" &&
        $c_compiler -std=c11 -Ialone -o "$2" "$program" "$2.o" -lm
}

# Nothing but the header's functions can be seen from outside.
seen_outside()
{
    "$(setting NM)" -g --defined-only "$1" | awk 'NF == 3 && $3 !~ /^arenaplan_/ { print $3 }'
}

# Compiled as for a processor whose C library is not here, with the headers of this one's: those
# know what differs by the size of a pointer, and nothing is linked.
for_target()
{
    clang -std=c11 -pedantic -Wall -Wextra -Werror -O0 --target="$1" -Ialone -Istubs \
        '-D__regparm__(n)=unused' -isystem /usr/include -isystem "/usr/include/$(cc -dumpmachine)" -c -o "$1.o" alone/arenaplan.c
}

same_answers()
{
    "$@" >other && cmp first other
}

if [ -n "$(setting SAN_FLAGS)" ] || ! tap_whole; then
    tap_skip "compiling takes a minute: make check-all, without sanitizers"
    tap_done
    exit
fi
first=
for compiler in gcc clang; do
    if ! have $compiler; then
        tap_skip "$compiler is not here"
        continue
    fi
    tap_check "$compiler takes it as C11 without a warning" as_c $compiler ./$compiler
    if [ -z "$first" ]; then
        tap_check "plans are valid" sh -c "./$compiler >first"
        tap_check "there are plans" grep -q '^prove optimal' first
        first=$compiler
    else
        tap_check "and answers the same" same_answers ./$compiler
    fi
done
for compiler in g++ clang++; do
    c_compiler=gcc
    case $compiler in clang*) c_compiler=clang ;; esac
    if have $compiler; then
        tap_check "$compiler takes it as C++17 without a warning" used_by_c $compiler ./$compiler
        tap_check "and as C++20" as_cxx $compiler c++20 -fsyntax-only
        tap_check "and answers the same" same_answers ./$compiler
        tap_check "and shows the library's functions alone" tap_nothing seen_outside ./$compiler.o
    else
        tap_skip "$compiler is not here"
    fi
done
for target in aarch64-linux-gnu arm-linux-gnueabihf; do
    emulator=qemu-$(echo "$target" | sed 's/-.*//')
    if have $target-gcc && echo 'int main(void) { return 0; }' >try.c && $target-gcc -o try try.c 2>/dev/null; then
        tap_check "$target-gcc takes it" as_c $target-gcc ./$target
        if have "$emulator"; then
            tap_check "and answers the same" same_answers "$emulator" -L /usr/$target ./$target
        else
            tap_skip "$emulator is not here"
        fi
    else
        tap_skip "no cross compiler $target-gcc, with its C library"
    fi
done
# What a 64-bit machine's C library has no stubs of.
mkdir -p stubs/gnu && : >stubs/gnu/stubs.h
for target in armv7-unknown-linux-gnueabihf wasm32-unknown-unknown; do
    if have clang && echo 'int i;' >try.c && clang --target=$target -c -o try.o try.c 2>/dev/null; then
        tap_check "clang takes it for $target" for_target $target
    else
        tap_skip "no clang for $target"
    fi
done
tap_done
