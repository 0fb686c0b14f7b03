#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Networks with loops on the command line.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_command=
. "$top_srcdir/tests/support/command.sh"

lstm=lstm_lm:batch=20,cell=fused

# 650 units x 20 x 4 bytes are 52,000.  Copied: four states in, four after each
# of 34 iterations; the last layer's hidden state is a slice of the stack, so sharing
# leaves three.
tap_check "loops sums up" exits 0 loops "$lstm" "$lstm,loops=coalloc" \
    "$lstm,loops=unroll" --format csv
tap_check "... all states are copied" has 'cell=fused",1,35,4004000,208000,7072000,0,7280000' out
tap_check "... or three" has 'loops=coalloc",1,35,3952000,156000,5304000,0,5460000' out
tap_check "... or none" has 'loops=unroll",2,35,3900000,0,0,0,0' out

tap_check "loops --views: a value that is carried" prints "loop/x1,0,2,1,first2,,0,0" loops \
    recurrence:depth=2,loops=unroll --views --format csv
tap_check "loops --views of two" exits 2 loops recurrence lstm_lm --views
tap_check "loops of a network without" refuses "alexnet has no loops" loops alexnet

for treatment in copy coalloc unroll unroll,unroll=3; do
    for subgraphs in flat buffers block; do
        tap_check "compare with loops=$treatment, $subgraphs" exits 0 compare \
            "recurrence:depth=3,trips=7,outer=4,loops=$treatment,subgraphs=$subgraphs" \
            --time-limit 0.2
    done
done

# A plan goes through a file; the replay runs the loop on it.
tap_check "solve" exits 0 solve "$lstm,loops=unroll" --solver first-fit-by-size \
    --output plan.csv
tap_check "verify" exits 0 verify "$lstm,loops=unroll" plan.csv

tap_check "groups of layers do not go with loops" refuses "one operator a step" lifetimes \
    recurrence:groups=1
tap_check "in-place operators neither" exits 2 lifetimes lstm_lm:inplace=nnc
tap_check "too many iterations for their shapes" exits 2 lifetimes \
    recurrence:n=1000000000,trips=4000000000000000000
tap_done
