#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the built library offers and what it asks for: exactly the functions of its header, and no
# more of the system than the C library.  And that programs go on with a later one.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
header=$top_srcdir/planner/arenaplan.h

setting()
{
    sed -n "s/^$1 = *//p" "${top_builddir:?}/Makefile"
}
nm=$(setting NM)
compiler=$(setting CC)
cxx=${CXX:-c++}
made=$top_builddir/amalgamation
tests=$top_srcdir/tests/planner/alone
version=$(setting ARENAPLAN_VERSION)
shared=$top_builddir/planner/libarenaplan.so.$version
static=$top_builddir/planner/libarenaplan.a

declared()
{
    # What a declaration is at, its name before the first bracket.
    grep -v '^#' "$header" | tr '\n' ' ' | grep -o 'ARENAPLAN_API [^(]*(' |
        sed 's/($//; s/.*[^a-z_]//' | sort
}

# Names that FILE defines for others.
defined()
{
    "$nm" -g --defined-only "$@" | awk 'NF == 3 { print $3 }' | sort
}

# Names that the static library needs and that are not in the list below, which is all that
# C11 and POSIX clocks have to give.
unlisted()
{
    "$nm" -u "$static" | awk 'NF == 2 { print $2 }' | grep -v -x -F \
        -e _GLOBAL_OFFSET_TABLE_ -e __tls_get_addr -e __stack_chk_fail \
        -e malloc -e calloc -e realloc -e free \
        -e memcmp -e memcpy -e memmove -e memset -e strcmp -e strlen -e vsnprintf \
        -e fmax -e fmin -e setjmp -e _setjmp -e longjmp -e clock_gettime
}

# Libraries that the shared one asks for beside those of C.
libraries()
{
    readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -v -e '^libc\.so\.' -e '^libm\.so\.' -e '^ld-linux'
}

soname()
{
    readelf -d "$shared" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'
}

# Sections of data that could change; a thread's own are .tdata and .tbss.
changing_data()
{
    readelf -SW "$static" | awk '{ sub(/^ *\[ *[0-9]+\]/, "") }
        $1 ~ /^\.(data|bss)$/ && $5 !~ /^0+$/ { print }'
}

size_is_small()
{
    cp "$static" library.a && strip --strip-unneeded library.a &&
        test "$(wc -c <library.a)" -lt $((400 * 1024)) || {
        ls -l library.a
        return 1
    }
}

# The version of the header is that of the library's files.
versions()
{
    echo "$(awk '$2 ~ /^ARENAPLAN_VERSION_/ { printf "%s%s", dot, $3; dot = "." }' "$header")" \
        "$(sed -n 's/^Version: //p' "$top_builddir/planner/arenaplan.pc")" \
        "$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")/\1/p' "$top_builddir/planner/arenaplanConfigVersion.cmake")"
}

# A program that was compiled with the header of version 1.0, linked with the library of today.
first_header_goes_on()
{
    mkdir first && cp "$tests/arenaplan.h-1.0" first/arenaplan.h &&
        grep -q '^#define ARENAPLAN_VERSION_MINOR 0$' first/arenaplan.h && ! grep -q arenaplan_assign first/arenaplan.h &&
        for folder in first "$made"; do
            $compiler -std=c11 -O1 -I"$top_srcdir" -I"$top_builddir" -I"$folder" -o program "$tests/digest.c" \
                "$shared" -lm && LD_LIBRARY_PATH=$top_builddir/planner ./program | grep -v '^assign' >"answers-$(basename "$folder")" || return
        done && test -s answers-first && cmp answers-first answers-amalgamation
}

# A later version of the library, whose structs have a member more, and programs that were compiled with
# today's header.
later_library()
{
    mkdir later now && cp "$made/arenaplan.c" later/ && cp "$made/arenaplan.h" now/ &&
        sed '/^struct arenaplan_\(problem\|buffer\|options\|result\|memory\|access\|memories\|assignment\) {/,/^};/s/^};/    int64_t later;\n};/' \
            "$made/arenaplan.h" >later/arenaplan.h && ! cmp later/arenaplan.h now/arenaplan.h >/dev/null &&
        $compiler -std=c11 -O1 -ffp-contract=off -fPIC -shared -Wl,-soname,libarenaplan.so.1 \
            -o later/libarenaplan.so.1 later/arenaplan.c -lm
}

program_goes_on()
{
    $compiler -std=c11 -O1 -I"$top_srcdir" -I"$top_builddir" -Inow -o today "$tests/digest.c" "$static" -lm &&
        $compiler -std=c11 -O1 -I"$top_srcdir" -I"$top_builddir" -Inow -o later/digest "$tests/digest.c" \
            later/libarenaplan.so.1 -lm &&
        ./today >answers && LD_LIBRARY_PATH=later later/digest | cmp answers -
}

cxx_goes_on()
{
    $cxx -std=c++17 -O1 -I"$top_srcdir/bindings/cpp" -Inow -I"$top_builddir" -o later/bindings \
        "$tests/bindings.cc" later/libarenaplan.so.1 -lm && LD_LIBRARY_PATH=later later/bindings
}

python_goes_on()
{
    ARENAPLAN_LIBRARY=$PWD/later/libarenaplan.so.1 PYTHONPATH=$top_srcdir/bindings/python \
        PYTHONDONTWRITEBYTECODE=1 python3 "$tests/bindings.py"
}

cd "$tap_scratch" || exit 99
tap_check "the header declares functions" test "$(declared | wc -l)" -ge 10
tap_check "its version is that of what other builds read" tap_same "$(versions)" "$version $version $version"
tap_check "the static library defines these and no others" tap_same "$(defined "$static")" "$(declared)"
if [ -n "$(setting SAN_FLAGS)" ]; then
    tap_skip "what it needs: built with sanitizers"
else
    tap_check "a program of version 1.0 goes on with it, and has the same answers" first_header_goes_on
    tap_check "the shared library exports these and no others" \
        tap_same "$(defined -D "$shared")" "$(declared)"
    tap_check "it needs nothing but the C library" tap_nothing unlisted
    if command -v readelf >/dev/null; then
        tap_check "it keeps no data of its own that changes" tap_nothing changing_data
        tap_check "the shared one links nothing else" tap_nothing libraries
        tap_check "its name is that of its major version" tap_same "$(soname)" "libarenaplan.so.${version%%.*}"
    else
        tap_skip "readelf is not here"
    fi
    case $(setting CFLAGS) in
        *-O[23s]*) tap_check "stripped, it is smaller than 400 KiB" size_is_small ;;
        *) tap_skip "its size: not built with -O2" ;;
    esac
fi
if [ -n "$(setting SAN_FLAGS)" ] || ! tap_whole; then
    tap_skip "a later library: make check-all, without sanitizers"
else
    tap_check "a later library has longer structs" later_library
    tap_check "a program goes on with it, and has the same answers" program_goes_on
    if echo 'int main() { return 0; }' | $cxx -x c++ -o try - 2>/dev/null; then
        tap_check "so does one in C++" cxx_goes_on
    else
        tap_skip "there is no C++ compiler"
    fi
    if python3 -c 'import sys, ctypes; sys.exit(sys.version_info < (3, 8))' 2>/dev/null; then
        tap_check "and one in Python" python_goes_on
    else
        tap_skip "python3 is not here, or has no ctypes"
    fi
fi
tap_done
