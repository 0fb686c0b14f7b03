#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The kernels with vectors of 4 as NEON code: cross-compiled for AArch64, their
# tests run by an emulator of that processor, and what the compiler made of
# their inner loops.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
cross=aarch64-linux-gnu
root=/usr/$cross

emulator=
for name in qemu-aarch64 qemu-aarch64-static; do
    ! command -v $name >/dev/null || emulator=$name
done
reason=
tap_whole || reason="compiling takes half a minute: make check-all"
[ -n "$emulator" ] || reason="qemu-aarch64 is not here (package qemu-user)"
[ -z "$(tap_setting SAN_FLAGS)" ] || reason="built with sanitizers"
echo '#include <stdio.h>
int main(void) { return puts(""); }' >"$tap_scratch/try.c"
$cross-gcc -o "$tap_scratch/try" "$tap_scratch/try.c" >"$tap_scratch/log" 2>&1 ||
    reason="no cross compiler (packages gcc-$cross and libc6-dev-arm64-cross)"
[ -z "$reason" ] || tap_skip_all "$reason"

# A folder that stands in for a build directory: what configure would find out.
cd "$tap_scratch" || exit 99
{
    echo '#define _GNU_SOURCE 1'
    printf '#define %s_ABSENT "of another processor"\n' OPENBLAS DNNL LIBXSMM XNNPACK
} >config.h
flags="-std=gnu11 -O2 -fno-schedule-insns $(tap_setting WARN_CFLAGS) -Werror -DKERNEL_ISA=generic -DKERNEL_VECTOR=4"

# compile FILE...: objects of the same stems.
compile()
{
    for file; do
        # shellcheck disable=SC2086
        $cross-gcc $flags -I. -I"$top_srcdir" -c "$file" || return
    done
}

# The tiles take as long as all else.  tests/support/rng_twister.c stands in for
# lib/base/rng.c, which needs GSL, and tests/kernels/mgemm_registry.c for the registry with the
# peers, which are libraries of the other processor.
compile_all()
{
    compile "$top_srcdir/kernels/mgemm/mgemm_set.c" &
    tiles=$!
    set --
    for file in "$top_srcdir"/kernels/*.c "$top_srcdir"/kernels/m*/*.c; do
        case $file in */mgemm_set.c | */registry.c) ;; *) set -- "$@" "$file" ;; esac
    done
    for name in base/error base/memory base/memory_process base/memory_scope base/params base/suggest base/timer graph/conv_shape; do
        set -- "$@" "$top_srcdir/lib/$name.c"
    done
    for name in support/conv_case support/rng_twister support/scratch support/tap kernels/mgemm_registry \
        kernels/t_depthwise kernels/t_grouped kernels/t_kernels kernels/t_mgemm kernels/t_paper; do
        set -- "$@" "$top_srcdir/tests/$name.c"
    done
    compile "$@" && wait $tiles
}

# emulate NAME: the test program runs on the other processor; its assertions
# are in NAME.out.
emulate()
{
    $cross-gcc -o "$1" "$1.o" libkernels.a -lm -lpthread || return
    ARENABENCH_TEST_TIER=small $emulator -L $root "./$1" >"$1.out" || {
        cat "$1.out"
        return 1
    }
}

# NAME FMAS STACK MOVES for the innermost loop with the most vector multiply-adds
# of each function of the object file $1; STACK counts vector registers that are
# read from the stack or written to it there, MOVES those that are copied.
inner_loops()
{
    $cross-objdump -d --no-show-raw-insn "$1" | awk '
    function judge() { if (best) print name " " best " " spilled " " moved }
    /^[0-9a-f]+ <.*>:$/ {
        judge()
        name = substr($2, 2, length($2) - 3); split("", place)
        count = branch = best = 0
        next
    }
    /^ *[0-9a-f]+:/ {
        place[substr($1, 1, length($1) - 1)] = ++count; text[count] = $0
        if ($2 !~ /^(b|b\..*|cbn?z|tbn?z)$/) next
        for (i = 3; i < NF && $(i + 1) !~ /^</; i++) ;
        if (!($i in place)) next
        # Backwards; innermost where no other backward branch is inside.
        begin = place[$i]
        if (branch < begin) {
            fmas = stack = moves = 0
            for (k = begin; k <= count; k++) {
                if (text[k] ~ /fmla\tv[0-9]+\.4s/) fmas++
                if (text[k] ~ /\t[qd][0-9]+, .*\[(sp|x29)/) stack++
                if (text[k] ~ /\tmov\tv[0-9]+\.16b/) moves++
            }
            if (fmas > best) { best = fmas; spilled = stack; moved = moves }
        }
        branch = count
    }
    END { judge() }'
}

# What is wrong with the loops of these functions: fewer multiply-adds than the
# tile has vectors, registers in memory, copies (of the bias they are right: a
# depthwise tile is all in one loop).  Tiles' names say their rows, vectors and
# width.
loops_at_fault()
{
    for tile; do
        line=$(grep "^$tile " loops) || {
            echo "$tile: no inner loop found"
            continue
        }
        echo "$line" | awk '{
            split($1, part, /_[rvw]/)
            if ($2 < part[2] * part[3] * part[4]) print $1 ": only " $2 " vector multiply-adds"
            if ($3 > 0) print $1 ": " $3 " vector registers in memory"
            if ($4 > 0 && !/^depthwise/) print $1 ": " $4 " vector registers copied"
        }'
    done
}

tap_check "kernels and their tests compile without warnings" compile_all
[ "$tap_failed" -eq 0 ] || {
    tap_done
    exit
}
rm -f libkernels.a
find . -name '*.o' ! -name 't_*.o' -exec $cross-ar cr libkernels.a {} +
for program in t_depthwise t_grouped t_kernels t_mgemm t_paper; do
    tap_check "$program on an emulated processor" emulate $program
    # Its assertions are this script's; a program that ended early has fewer
    # than its plan says and has failed above.
    while read -r line; do
        case $line in
            "ok "*"# SKIP "*) ;;
            "ok "*) tap_check "$program: ${line#* - }" true ;;
            "not ok "*) tap_check "$program: ${line#* - }" false ;;
        esac
    done <$program.out
done

for object in mgemm_set mgemm_kept_set depthwise_set depthwise1_set depthwise3_set depthwise5_set depthwise7_set depthwise9_set probe_loops; do
    inner_loops $object.o
done >loops
tap_check "the tiles' inner loops are found" test "$(grep -c '^tile_' loops)" -gt 200
tap_check "chosen tiles: vector multiply-adds only, no spilling" tap_nothing loops_at_fault \
    tile_BLOCKED_1_r1_v2_w8 tile_BLOCKED_1_r1_v2_w10 tile_BLOCKED_1_r1_v2_w12 \
    tile_BLOCKED_1_r1_v2_w14 tile_BLOCKED_1_r1_v3_w8 tile_BLOCKED_1_r1_v4_w6 \
    tile_BLOCKED_1_r2_v2_w6 tile_BLOCKED_2_r1_v2_w12 tile_POINT_r1_v2_w12 \
    tile_PLANAR_2_r1_v2_w12 depthwise_kept_1 depthwise_kept_2
# Of mgemm:preset=paper; where inputs move along a full set of registers GCC copies some.
tap_check "published tiles: no spilling" awk '
    /^(tile_KEEP_r1|edge_KEEP)_v2_w9[_ ]/ || /^(tile_KEEP_2_r1|edge_KEEP_2)_v2_w6[_ ]/ {
        found++
        if ($3 > 0) exit 1
    }
    END { exit found != 8 }' loops
# GCC copies some registers of the one that is 9 wide at stride 1.
tap_check "depthwise 1 to 9 wide, 7 and 14 pixels: a multiply-add a tap and pixel, no spilling" awk '
    /^depthwise[13579]_[12]_w(7|14) / {
        split($1, part, /_w/)
        found++
        if ($2 != substr($1, 10, 1) * part[2] || $3 > 0 || ($4 > 0 && !/^depthwise9_1/)) exit 1
    }
    END { exit found != 20 }' loops
tap_check "the probe of the peak: multiply-adds, no copies" tap_nothing loops_at_fault multiply_add
tap_check "a tile that is too wide spills, as the check sees" test \
    -n "$(loops_at_fault tile_BLOCKED_1_r1_v4_w7)"
tap_done
