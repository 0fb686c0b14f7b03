#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples as somebody outside of the tree builds them: against the library where it was
# installed, found by pkg-config and by CMake, and with the library's one file.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
models=$top_srcdir/tests/fuzz/corpus/tflite

setting()
{
    sed -n "s/^$1 = *//p" "${top_builddir:?}/Makefile"
}
if [ -n "$(setting SAN_FLAGS)" ]; then
    tap_skip "built with sanitizers"
    tap_done
    exit
fi
compiler=$(setting CC)
cxx=
command -v g++ >/dev/null && cxx=g++

# make for things outside of the tree, or for an installation from within a test.
plain_make()
{
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u MAKEOVERRIDES make -s "$@"
}

all_installed()
{
    for name in arenaplan.h arenaplan.hpp arenaplan.py libarenaplan.a libarenaplan.so \
        libarenaplan.so.1 arenaplan.pc arenaplanConfig.cmake arenaplanConfigVersion.cmake; do
        [ -e "$(find tree -name $name)" ] || echo "$name is not installed"
    done
}

# Files for other builds that still name the folder that they were configured or installed for.
named_folders()
{
    find tree \( -name '*.pc' -o -name '*.cmake' \) -exec grep -n -e "$(setting prefix)" -e "$tap_scratch" {} +
}

# make names both languages' programs; without C++ the C ones.
by_pkg_config()
{
    cp -r "$top_srcdir/examples" by-pkg-config && chmod -R u+w by-pkg-config &&
        plain_make -C by-pkg-config CC="$compiler" CFLAGS='-O1 -Wall -Wextra -Wconversion -Werror' \
            CXXFLAGS='-O1 -Wall -Wextra -Werror' tflm_offline_plan static_arena two_memories ${cxx:+buffer_table}
}

by_cmake()
{
    cmake -S "$top_srcdir/examples" -B by-cmake -Darenaplan_DIR="$cmake_dir" >cmake.log &&
        plain_make -C by-cmake >make.log
}

# The file is compiled once for all of them: it takes longer than anything else here.
by_amalgamation()
{
    mkdir by-amalgamation &&
        $compiler -std=c11 -O1 -ffp-contract=off -c -o arenaplan.o "$top_builddir/amalgamation/arenaplan.c" || return
    for example in tflm_offline_plan static_arena two_memories; do
        $compiler -std=c11 -O1 -ffp-contract=off -I"$top_builddir/amalgamation" -o by-amalgamation/$example \
            "$top_srcdir/examples/$example.c" arenaplan.o -lm || return
    done
}

# The numbers of a file of 32-bit ones.
numbers()
{
    od -An -v -td4 "$1" | tr -s ' \n' ' '
}

# A model's tensors in the plan, and as text.
plan_agrees()
{
    "$1/tflm_offline_plan" "$models/small" plan.bin >plan.csv || return
    tap_same "$(numbers plan.bin)" " 0 1 $(sed 1,2d plan.csv | wc -l) $(sed '1,2d; s/.*,//' plan.csv | tr '\n' ' ')"
}

# The arena is as large as another reader of the file, and the solver, say that it has to be.
peak_agrees()
{
    cp "$models/$2" model.tflite
    want=$("$top_builddir/arenabench" solve model.tflite:io=both,alignment=16 --solver branch-and-bound --output plan.out 2>&1 |
        grep -o 'peak [0-9]*' | sed 's/peak //')
    [ -n "$want" ] && "$1/tflm_offline_plan" model.tflite | grep "optimal: arena of $want bytes"
}

header_works()
{
    "$1/static_arena" table.csv >arena.h && grep -q '^#define ARENA_BYTES 36$' arena.h && cat >use.c <<'END' &&
#include "arena.h"
int main(void)
{
    ARENA_AT(a)[ARENA_SIZE_a - 1] = 1;
    return (uintptr_t)ARENA_AT(c_2) % 16 != 0 ||
           !(ARENA_OFFSET_a >= ARENA_OFFSET_b1 + ARENA_SIZE_b1 || ARENA_OFFSET_b1 >= ARENA_OFFSET_a + ARENA_SIZE_a);
}
END
    $compiler -std=c11 -Wall -Wextra -Werror -o use use.c && ./use
}

# Of 128 KiB, all fits but the image, which may not; of none, nothing.
memories_work()
{
    "$1/two_memories" 131072 >fits && [ "$(grep -c fast fits)" = 5 ] && grep -q '^image *slow' fits &&
        "$1/two_memories" 0 >none && [ "$(grep -c slow none)" = 6 ] && tail -n 1 none |
        awk '{ exit $2 + 0 != $5 + 0 }' && ! "$1/two_memories" -1 2>err && grep -q 'a memory has' err
}

# The first C program of a document, in a main; the arena has what it says.
shown_works()
{
    awk '/^```c$/ { on = !done; next } /^```$/ { if (on) done = 1; on = 0 } on && !/^#/' "$top_srcdir/$1" >shown.inc &&
        printf '#include <arenaplan.h>\n#include <stdlib.h>\nint main(void)\n{\nvoid *arena = NULL;\n%s\nfree(arena);\nreturn result.peak != 12288;\n}\n' \
            "$(cat shown.inc)" >shown.c &&
        $compiler -std=c11 -Wall -Wextra -Werror -I"$top_srcdir/planner" -o shown shown.c \
            "$top_builddir/planner/libarenaplan.a" -lm && ./shown
}

# refuses PATTERN COMMAND...: status 2, nothing written, a message that names file and fault.
refuses()
{
    pattern=$1
    shift
    tap_exits 2 "$@" && [ ! -s out ] && grep -q -e "$pattern" err || {
        cat err
        return 1
    }
}

cd "$tap_scratch" || exit 99
printf 'id,lower,upper,size,alignment\na,0,2,16,1\n1,1,3,20,1\nc-2,2,4,16,16\n' >table.csv
printf 'id,lower,upper,size\na,0,2,16\nb,3,3,20\n' >empty.csv
printf 'id,lower,upper,size\na,0,2,x\n' >text.csv
tap_check "the library is installed by itself, for another prefix" plain_make -C "$top_builddir" install-arenaplan \
    prefix="$tap_scratch/tree/other" libdir="$tap_scratch/tree/other/lib/of-mine"
tap_check "with all that belongs to it" tap_nothing all_installed
tap_check "which does not say where it is" tap_nothing named_folders
mv tree moved && mkdir tree && mv moved tree/elsewhere || exit 99
PKG_CONFIG_PATH=$(dirname "$(find "$tap_scratch/tree" -name arenaplan.pc)")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
cmake_dir=$(dirname "$(find "$tap_scratch/tree" -name arenaplanConfig.cmake)")

tap_check "examples by the one file" by_amalgamation
built=by-amalgamation
if command -v pkg-config >/dev/null; then
    tap_check "examples by pkg-config, which finds it where it was moved" by_pkg_config
    built="$built by-pkg-config"
else
    tap_skip "pkg-config is not here"
fi
if command -v cmake >/dev/null && [ -n "$cxx" ]; then
    tap_check "examples by CMake" by_cmake
    built="$built by-cmake"
else
    tap_skip "cmake or a C++ compiler is not here"
fi
for folder in $built; do
    tap_check "$folder: a model's offline plan, as text and as TensorFlow Lite Micro reads it" plan_agrees "$folder"
    if [ -x "$top_builddir/arenabench" ]; then
        tap_check "$folder: as large as it has to be" peak_agrees "$folder" small
        tap_check "$folder: of a model with views, too" peak_agrees "$folder" views
    else
        tap_skip "the library was built alone"
    fi
    tap_check "$folder: two memories" memories_work "$folder"
    tap_check "$folder: a header that a program compiles with" header_works "$folder"
    [ ! -x "$folder/buffer_table" ] ||
        tap_check "$folder: a compiler's table" test "$("$folder/buffer_table" | sed -n '1p; $p' | tr '\n' ' ')" = \
            "1152 bytes 1152 bytes after the change "
done
tap_check "what doc/arenaplan.md shows" shown_works doc/arenaplan.md
for model in truncated header root tail empty; do
    tap_check "a model that is damaged: $model" refuses "$model: " by-amalgamation/tflm_offline_plan "$models/$model"
done
tap_check "a buffer that is never alive" refuses 'empty.csv:3: ' by-amalgamation/static_arena empty.csv
tap_check "a size that is no number" refuses 'text.csv:2: expected an integer' by-amalgamation/static_arena text.csv
tap_check "a file that is not there" refuses 'gone.csv' by-amalgamation/static_arena gone.csv
tap_done
