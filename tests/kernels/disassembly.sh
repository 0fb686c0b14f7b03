#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the compiler made of the register tiles: the inner loops of the ones that
# are chosen hold no accumulator in memory, and dense AVX2 tiles load little.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
libraries=${top_builddir:?}/kernels

# The last -O in CFLAGS is the one that counts.
level=$(tap_setting CFLAGS | tr ' ' '\n' | sed -n 's/^-O//p' | tail -n 1)
reason=
case $level in 2 | 3) ;; *) reason="built with -O${level:-0}" ;; esac
[ -z "$(tap_setting SAN_FLAGS)" ] || reason="built with sanitizers"
$(tap_setting CC) --version 2>/dev/null | grep -q 'Free Software Foundation' || reason="not built with gcc"
command -v objdump >/dev/null || reason="objdump is not here"
[ -f "$libraries/libkernels_avx2.a" ] || reason="no x86 kernels"
[ -z "$reason" ] || tap_skip_all "$reason"

inner_loops()
{
    "$top_srcdir/build-aux/inner-loops" objdump "$libraries/libkernels_$1.a"
}

# chosen LOOPS LIMIT NAME...: the tiles' inner loops have no stack traffic, and
# at most LIMIT loads a multiply-add.
chosen()
{
    loops=$1
    limit=$2
    shift 2
    for tile; do
        line=$(grep "^$tile " "$loops") || {
            echo "$tile: no inner loop found"
            continue
        }
        echo "$line" | awk -v limit="$limit" '
            $4 > 0 { print $1 ": " $4 " vector references to the stack" }
            limit > 0 && $3 > limit * $2 { print $1 ": " $3 / $2 " loads a multiply-add" }'
    done
}

# within LOOPS FIELD LIMIT NAME...: of the tiles' inner loops, FIELD is at most LIMIT times the
# multiply-adds.
within()
{
    loops=$1
    field=$2
    limit=$3
    shift 3
    awk -v field="$field" -v limit="$limit" -v names="$*" '
        BEGIN { split(names, list, /[[:space:]]+/); for (i in list) wanted[list[i]] = 1 }
        $1 in wanted { found[$1] = 1; if ($field > limit * $2) print $1 ": " $field " for " $2 }
        END { for (name in wanted) if (!(name in found)) print name ": no inner loop found" }' "$loops"
}

for isa in generic avx2 avx512; do
    inner_loops $isa >"$tap_scratch/$isa"
    tap_check "$isa: the tiles' inner loops are found" test \
        "$(grep -c '^tile_' "$tap_scratch/$isa")" -gt 150
done

dense="tile_BLOCKED_1_r1_v2_w4 tile_BLOCKED_1_r1_v2_w5 tile_BLOCKED_1_r1_v2_w6
    tile_BLOCKED_1_r1_v3_w3 tile_BLOCKED_1_r1_v3_w4 tile_BLOCKED_1_r1_v4_w3 tile_BLOCKED_1_r2_v2_w3
    tile_BLOCKED_2_r1_v2_w5 tile_BLOCKED_2_r1_v2_w6 tile_BLOCKED_ANY_r1_v2_w6
    tile_POINT_r1_v2_w5 tile_POINT_r1_v2_w6 tile_POINT_r1_v4_w3
    tile_KEEP_r1_v4_w2 tile_KEEP_r1_v4_w3 tile_KEEP_r1_v4_w3_first tile_KEEP_r1_v4_w3_last"
first="tile_PLANAR_1_r1_v2_w6 tile_PLANAR_2_r1_v2_w5 tile_PLANAR_2_r1_v2_w6
    tile_PLANAR_1_r1_v2_w6_taps3 tile_PLANAR_2_r1_v2_w6_taps3
    tile_PLANAR_2_r1_v2_w5_taps7 tile_PLANAR_2_r1_v2_w6_taps7
    tile_PLANAR_2_r1_v4_w3_taps3 tile_PLANAR_1_r1_v4_w3_taps7
    depthwise_kept_1 depthwise_kept_2"
straight="tile_BLOCKED_1_r1_v2_w5 tile_BLOCKED_1_r1_v2_w6 tile_BLOCKED_1_r1_v2_w6_first
    tile_BLOCKED_1_r1_v2_w6_last tile_BLOCKED_1_r1_v3_w4 tile_BLOCKED_2_r1_v2_w6
    tile_PLANAR_1_r1_v2_w6_taps3 tile_PLANAR_2_r1_v2_w6_taps7 tile_POINT_r1_v2_w6
    tile_POINT_r1_v4_w3"
windows="tile_KEEP_r1_v4_w3 tile_KEEP_r1_v4_w3_first tile_KEEP_r1_v4_w3_last
    tile_PLANAR_1_r1_v4_w3_taps7 tile_PLANAR_2_r1_v4_w3_taps7"
wide="tile_BLOCKED_1_r1_v1_w24 tile_BLOCKED_1_r1_v2_w10 tile_BLOCKED_1_r1_v2_w12
    tile_BLOCKED_1_r1_v2_w14 tile_BLOCKED_2_r1_v2_w12 tile_POINT_r1_v2_w12
    tile_PLANAR_2_r1_v2_w12 depthwise_kept_1 depthwise_kept_2"
tall="tile_BLOCKED_1_r1_v4_w6 tile_BLOCKED_1_r1_v4_w6_first tile_BLOCKED_2_r1_v4_w6
    tile_PLANAR_2_r1_v4_w6_taps3 tile_PLANAR_1_r1_v4_w6_taps7"
tall_windows="tile_KEEP_r1_v4_w6 tile_KEEP_r1_v4_w6_first tile_KEEP_r1_v4_w6_last tile_KEEP_r1_v3_w7
    tile_KEEP_2_r1_v4_w5 tile_KEEP_2_r1_v4_w6"
rolling="tile_KEEP_2_r1_v1_w14 tile_KEEP_2_r1_v2_w10 tile_KEEP_2_r1_v3_w7 edge_KEEP_2_v1_w14_first
    edge_KEEP_2_v2_w10_first edge_KEEP_2_v3_w7_first edge_KEEP_2_v3_w7_both"
# shellcheck disable=SC2086
tap_check "AVX2, dense: no spilling, at most 0.92 loads a multiply-add" tap_nothing \
    chosen "$tap_scratch/avx2" 0.92 $dense
# shellcheck disable=SC2086
tap_check "AVX2, first layers and depthwise: no spilling" tap_nothing \
    chosen "$tap_scratch/avx2" 0 $first
# shellcheck disable=SC2086
tap_check "AVX2: straight code has at most 1.95 instructions a multiply-add" tap_nothing \
    within "$tap_scratch/avx2" 5 1.95 $straight
# shellcheck disable=SC2086
tap_check "AVX2: tiles with a window of inputs have at most 1.6 instructions" tap_nothing \
    within "$tap_scratch/avx2" 5 1.6 $windows
# shellcheck disable=SC2086
tap_check "and at most 0.51 loads" tap_nothing within "$tap_scratch/avx2" 3 0.51 $windows
# shellcheck disable=SC2086
tap_check "AVX-512: no spilling" tap_nothing chosen "$tap_scratch/avx512" 0 $wide $tall $tall_windows
# shellcheck disable=SC2086
tap_check "AVX-512: straight code of 4 vectors has at most 1.66 instructions a multiply-add" \
    tap_nothing within "$tap_scratch/avx512" 5 1.66 $tall
# shellcheck disable=SC2086
tap_check "AVX-512: with a window of inputs at most 1.48" tap_nothing \
    within "$tap_scratch/avx512" 5 1.48 $tall_windows
# shellcheck disable=SC2086
tap_check "AVX-512: stride 2, inputs that pass through registers in loops: no spilling" tap_nothing \
    chosen "$tap_scratch/avx512" 0.78 $rolling
# Depthwise, TAPS wide: a filter row is loaded once for all pixels, and so is each input.
row_of()
{
    awk -v taps="$1" -v wide="$3" '
        function judge(stride, width,    inputs) {
            inputs = taps < stride ? width : (width - 1) * stride + taps
            if ($2 != taps * width || $3 != taps + inputs || $4 > 0)
                print $1 ": " $2 " multiply-adds, " $3 " loads, " $4 " of the stack"
        }
        $1 ~ "^depthwise" taps "_" { split($1, part, /_w?/); found++; judge(part[2], part[3]) }
        END { if (found != 2 * wide) print found " tiles for filters " taps " wide" }' "$tap_scratch/$2"
}
for tile in "1 generic 10" "1 avx2 10" "1 avx512 14" "3 generic 10" "3 avx2 10" "3 avx512 14" "5 generic 8" "5 avx2 8" "5 avx512 14" "7 generic 7" "7 avx2 7" "7 avx512 14" \
    "9 generic 5" "9 avx2 5" "9 avx512 14"; do
    # shellcheck disable=SC2086
    tap_check "depthwise, filter, lanes and pixels $tile: no spilling, every input loaded once" \
        tap_nothing row_of $tile
done
# One pixel: each weight is loaded once, for a multiply-add, and an input for each of four sums.
pixel_loops()
{
    awk -v wide="$2" '/^pixel_v/ {
            found++
            v = substr($1, 8)
            if ($2 != 4 * v || $3 > 4 * v + 4 || $4 > 0)
                print $1 ": " $2 " multiply-adds, " $3 " loads, " $4 " of the stack"
        }
        END { if (found != wide) print found " products for one pixel" }' "$tap_scratch/$1"
}
for products in "generic 3" "avx2 3" "avx512 6"; do
    # shellcheck disable=SC2086
    tap_check "one pixel, $products vectors at most: no spilling" tap_nothing pixel_loops $products
done
# Groups of few channels: of each channel a row of weights, a permutation, and each input once;
# where groups lie across vectors, in each of two.
row_of_groups()
{
    awk -v kind="$1" -v taps="$2" -v wide="$4" '
        function judge(stride, width,    inputs) {
            inputs = (width - 1) * stride + taps
            if ($2 != taps * width || $3 != taps + 1 + inputs * (kind == "split" ? 2 : 1) || $4 > 0)
                print $1 ": " $2 " multiply-adds, " $3 " loads, " $4 " of the stack"
        }
        $1 ~ "^" kind taps "_" { split($1, part, /_w?/); found++; judge(part[2], part[3]) }
        END { if (found != 2 * wide) print found " tiles for groups, " taps " wide" }' "$tap_scratch/$3"
}
for tile in "grouped 3 avx2 10" "grouped 3 avx512 14" "grouped 5 avx2 8" "grouped 5 avx512 14" \
    "split 3 avx2 9" "split 3 avx512 14"; do
    # shellcheck disable=SC2086
    tap_check "groups, their kind, filter, lanes and pixels $tile: no spilling, no input loaded again" \
        tap_nothing row_of_groups $tile
done
# Those of mgemm:preset=paper, whose width is what the registers hold.
for isa in generic avx2 avx512; do
    case $isa in
        generic) published="KEEP_%v2_w3 KEEP_2_%v2_w3" ;;
        avx2) published="KEEP_%v2_w4 KEEP_2_%v2_w3" ;;
        avx512) published="KEEP_%v2_w9 KEEP_2_%v2_w7" ;;
    esac
    for tile in $published; do
        edge=edge_$(echo "$tile" | sed 's/%//')
        tap_check "$isa: the published tile $tile and its edges do not spill" tap_nothing \
            chosen "$tap_scratch/$isa" 0 "tile_$(echo "$tile" | sed 's/%/r1_/')" \
            "${edge}_first" "${edge}_last"
    done
done
# Floats that one channel's three taps move: six vectors of weights, the inputs once.
moves()
{
    awk -v wanted="$3" -v name="$2" '$1 == name { found = $6 } END { exit found != wanted }' \
        "$tap_scratch/$1"
}
tap_check "AVX2, 2 x 4: 6 inputs beside them" moves avx2 tile_KEEP_r1_v2_w4 $((6 * 8 + 6))
tap_check "AVX2, 2 x 3 at stride 2: 7" moves avx2 tile_KEEP_2_r1_v2_w3 $((6 * 8 + 7))
tap_check "AVX-512, 2 x 9: 11" moves avx512 tile_KEEP_r1_v2_w9 $((6 * 16 + 11))
tap_check "AVX-512, 2 x 6 at stride 2: 13" moves avx512 tile_KEEP_2_r1_v2_w6 $((6 * 16 + 13))
tap_check "the product of a tap: 2 vectors and 12 inputs" moves avx512 tile_POINT_r1_v2_w12 \
    $((2 * 16 + 12))
tap_check "a tile that is too wide spills, as the check sees" test \
    -n "$(chosen "$tap_scratch/avx2" 0 tile_BLOCKED_1_r1_v4_w4)"
grep '^tile_BLOCKED_1_r1_v[12]_w\(8\|12\|24\) ' "$tap_scratch/avx512" | while read -r tile fmas loads _; do
    echo "# avx512 $tile: $loads loads, $fmas multiply-adds"
done
tap_done
