#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The kernels of AVX-512 where there is no such processor: the same sources with
# vectors of 16 floats, of which the compiler makes two of AVX2 each, run against
# the reference.  What this can't see is how fast they are, and the few lines of
# kernels/mgemm/vector.h that only AVX-512 has; those are at least assembled by the build.
# Where there is such a processor the tests of the build have run all kernels on it; there the dense
# ones alone are compiled here, which keeps this script in order.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

libraries=$top_builddir/kernels
reason=
tap_whole || reason="compiling takes 15 seconds: make check-all"
[ -z "$(tap_setting SAN_FLAGS)" ] || reason="built with sanitizers"
[ -f "$libraries/libkernels_avx2.a" ] || reason="no x86 kernels"
grep -qw avx2 /proc/cpuinfo 2>/dev/null || reason="the machine lacks AVX2"
$(tap_setting CC) --version 2>/dev/null | grep -q 'Free Software Foundation' || reason="not built with gcc"
[ -z "$reason" ] || tap_skip_all "$reason"

# The list of tiles is a short one; depthwise bands are those of 32 registers.
mkdir -p "$tap_scratch/kernels/mgemm"
cp "$top_srcdir/tests/kernels/lowered_list.h" "$tap_scratch/kernels/mgemm/mgemm_list.h"
for file in depthwise_set.c rows_tile.h; do
    sed 's/defined __AVX512F__/1/' "$top_srcdir/kernels/mgemm/$file" >"$tap_scratch/kernels/mgemm/$file"
done
# What is compiled, and the tests of it; all others are linked as the build has made them.
others=
programs="t_kernels t_mgemm"
if grep -qw avx512f /proc/cpuinfo; then
    others=$libraries/libkernels_avx512.a
else
    programs="t_depthwise t_grouped $programs"
fi
flags="-std=gnu11 -O1 -mavx2 -mfma $(tap_setting WARN_CFLAGS) -Werror -DKERNEL_ISA=avx512 -DKERNEL_VECTOR=16"

# compile FILE...: objects of the same stems.
compile()
{
    for file; do
        stem=${file##*/}
        # shellcheck disable=SC2046,SC2086
        $(tap_setting CC) $flags -I"$tap_scratch" -I"$top_builddir" -I"$top_srcdir" \
            -include "$top_srcdir/tests/kernels/lowered.h" -c "$file" -o "$tap_scratch/${stem%.c}.o" || return
    done
}

compile_rows()
{
    [ -n "$others" ] || compile "$tap_scratch/kernels/mgemm/depthwise_set.c" "$top_srcdir/kernels/mgemm/grouped3_set.c" \
        "$top_srcdir/kernels/mgemm/grouped5_set.c" "$top_srcdir/kernels/mgemm/split3_set.c" \
        "$top_srcdir/kernels/mgemm/depthwise1_set.c" "$top_srcdir/kernels/mgemm/depthwise3_set.c" \
        "$top_srcdir/kernels/mgemm/depthwise5_set.c" "$top_srcdir/kernels/mgemm/depthwise7_set.c" \
        "$top_srcdir/kernels/mgemm/depthwise9_set.c" "$top_srcdir/kernels/mgemm/pixel_set.c"
}

compile_all()
{
    compile_rows &
    rows=$!
    compile "$top_srcdir/kernels/mgemm/mgemm_set.c" \
        "$top_srcdir/kernels/mgemm/mgemm_kept_set.c" "$top_srcdir/kernels/model/probe_loops.c" \
        "$top_srcdir/kernels/isa.c" "$top_srcdir/tests/kernels/mgemm_registry.c" && wait $rows
}

# The rest is what the build has made, without what is replaced here.
link()
{
    cp "$libraries/libkernels.a" "$tap_scratch/rest.a" &&
        ar d "$tap_scratch/rest.a" isa.o registry.o &&
        for program in $programs; do
            # shellcheck disable=SC2046,SC2086
            $(tap_setting CC) -o "$tap_scratch/$program" "$top_builddir/tests/kernels/$program.o" \
                "$tap_scratch"/*.o "$top_builddir/tests/libshared.a" \
                "$top_builddir/tests/libtap.a" "$tap_scratch/rest.a" \
                "$libraries/libkernels_generic.a" "$libraries/libkernels_avx2.a" $others \
                "$top_builddir/lib/libbase.a" \
                $(tap_setting GLPK_LIBS) $(tap_setting GSL_LIBS) -lm -lpthread || return
        done
}

# The short list has too few tiles to take turns.
run()
{
    tier=small
    [ "$1" != t_mgemm ] || tier=whole
    ARENABENCH_TEST_TIER=$tier "$tap_scratch/$1" >"$tap_scratch/$1.out" || {
        cat "$tap_scratch/$1.out"
        return 1
    }
}

tap_check "kernels with vectors of 16 compile for AVX2 without warnings" compile_all
tap_check "the tests link with them" link
for program in $programs; do
    tap_check "$program with them" run $program
    # On one processor what needs two is.
    tap_check "$program: nothing of it was skipped" awk '/# SKIP/ && !/one processor$/ { exit 1 }' \
        "$tap_scratch/$program.out"
done
tap_check "the tiles of AVX-512 were among them" \
    grep -q '^ok .*avx512, BLOCKED_1: .* tiles are right' "$tap_scratch/t_mgemm.out"
tap_done
