#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# arenabench run: networks in their planned arena, what is shown of them, and what is refused.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_command=run
. "$top_srcdir/tests/support/command.sh"

small=mobilenet_v3_small:fuse=all,alias=on,inplace=nnc,concat=place

# The cell NAME of the only row in the CSV table `out`.
value()
{
    awk -F, -v name="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        NR == 2 { gsub(/"[^"]*"/, "quoted"); print $column[name] }' out
}

# runs ARGUMENT...: with the outputs of a run outside the arena.
runs()
{
    exits 0 "$@" --format csv && tap_same "$(value same_as_plain)" yes
}

holds_together()
{
    runs $small --rounds 7 --double && tap_same "$(value rounds)" 7 &&
        [ "$(value on_kernel)" -gt 50 ] &&
        awk -v d="$(value distance)" -v b="$(value bound)" -v t="$(value time_s)" \
            -v l="$(value low_s)" -v h="$(value high_s)" \
            'BEGIN { exit !(d > 0 && d < b && 0 < l && l <= t && t <= h) }'
}
tap_check "a network runs in its arena, near the run in double, the median in its interval" \
    holds_together

runs_given_plan()
{
    "$arenabench" solve $small --solver greedy-by-size --output plan.csv 2>/dev/null
    peak=$(awk -F, 'NR > 1 && $4 + $5 > most { most = $4 + $5 } END { print most }' plan.csv)
    runs $small --plan plan.csv --kernels none --rounds 1 &&
        tap_same "$(value arena_bytes) $(value on_kernel)" "$peak 0"
}
tap_check "a plan from a file is the arena, and kernels can be done without" runs_given_plan

times_fit()
{
    exits 0 $small --rounds 1 --times times.csv --profile --format csv &&
        tap_same "$(wc -l <times.csv)" "$(wc -l <out)" &&
        awk -F, 'NR > 2 && $5 > last { exit 1 } NR > 1 { last = $5 + 0 }' out &&
        tap_exits 0 "$arenabench" schedule $small --times times.csv
}
tap_check "schedule takes the times it writes; the profile has the longest operators first" times_fit
tap_check "the operators of a step run at once" \
    runs squeezenet1_1:groups=1 --groups --threads "$(nproc)" --rounds 1

small64=squeezenet1_1:size=64,fuse=all
two='--memory fast=40%,read=1,write=1 --memory slow,read=8,write=8'
# Each memory's bytes, counted and modelled.
same_bytes()
{
    awk -F, 'NR > 1 { n++; bad += $5 == 0 || $5 != $7 || $6 != $8 } END { exit n != 2 || bad > 0 }' out
}
# shellcheck disable=SC2086
{
    tap_check "two memories, an arena each" prints "The outputs are those of a run with each value in memory of its own" \
        $small64 $two --rounds 1
    tap_check "... as a table" exits 0 $small64 $two --rounds 1 --format csv
    tap_check "... with bytes as they are modelled" same_bytes
    tap_check "a split that was kept" tap_exits 0 "$arenabench" fit $small64 $two --output split.csv
    tap_check "... runs" exits 0 $small64 $two --plan split.csv --rounds 1 --format csv
    tap_check "... likewise" same_bytes
    sed 's/,fast,.*/,fast,0/' split.csv >wrong.csv
    tap_check "... if it is valid" refuses "run: wrong.csv: " $small64 $two --plan wrong.csv
    tap_check "where it does not fit it is not run" fails "has no split over these memories" $small64 --memory x=100
    tap_check "buffers that move" exits 0 densenet121:size=32 --memory fast=50%,read=1,write=1 \
        --memory slow,read=8,write=8 --moves --rounds 2 --time-limit 2
    tap_check "... give the same outputs, byte for byte" has "byte for byte; bytes are as modelled" out
    tap_check "... and do move" sh -c '! grep -qx "0 copies." out'
    tap_check "buffers that are no rectangles stay" refuses "--moves: expected one operator a step" \
        densenet121:size=32,concat=place $two --moves
    tap_check "what is stored stays" refuses "is stored from the start; expected weights=off" \
        $small64,weights=on $two --moves
    tap_check "moves are between memories" refuses "--moves: expected --memory or --chip" $small64 --moves
    tap_check "operators at once have one arena" refuses "several memories: expected one operator after the other" \
        $small64 $two --groups
}

tap_check "a loop runs, its body beside the arena" runs gru_lm:seq=3 --rounds 1

tap_check "bodies that would be planned" refuses 'loops= plans' gru_lm:seq=3,loops=unroll
tap_check "lifetimes have no network" refuses 'has lifetimes only' uniform:n=10
tap_check "what cannot be run is named with its number" \
    refuses 'cannot be run: Conv (26)' squeezenet1_1:dtype=i8
tap_check "a plan of another network" refuses 'plan.csv' squeezenet1_1 --plan plan.csv
tap_check "an arena that there is no memory for, with its bytes" \
    refuses 'bytes of memory' squeezenet1_1:batch=100000000 --solver greedy-by-size
tap_check "a kernel that there is none of" refuses 'kernel' squeezenet1_1 --kernels nothing
tap_check "more threads than processors" refuses 'processor' squeezenet1_1 --threads 1024
tap_check "a file that can't be written" refuses 'no/such' $small --times no/such/times.csv

tap_done
