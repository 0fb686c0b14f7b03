#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Real instances: what the reader finds in them against figures that awk
# computes from the same files, and that what is written is what was read.
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

arenabench=${top_builddir:?}/arenabench
data=$(tap_data)
[ -n "$data" ] || tap_skip_all "no real inputs: run ./fetch_data or set ARENABENCH_DATA"

# Prints load,width,max_size,buffers,sum of a file, from its rows alone.  At
# equal times ends come before begins: lifetimes are half-open.
figures()
{
    awk -F, 'NR > 1 { print $2, 1, $4; print $3, -1, -$4 }' "$1" |
        sort -k1,1n -k2,2n |
        awk '{
            live += $3; count += $2
            if (live > load) load = live
            if (count > width) width = count
            if ($3 > max) max = $3
            if ($3 > 0) { sum += $3; n++ }
        }
        END { printf "%.0f,%d,%.0f,%d,%.0f\n", load, width, max, n, sum }'
}

# The same figures as `bounds` prints them.
bounds()
{
    "$arenabench" bounds --format csv "$1" | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 {
            print $at["load"] "," $at["width"] "," $at["max_size"] "," $at["intermediates"] "," \
                $at["sum"]
        }'
}

buffers()
{
    bounds "$1" | cut -d, -f4
}

load()
{
    bounds "$1" | cut -d, -f1
}

same_again()
{
    "$arenabench" lifetimes "$1" >"$tap_scratch/again.csv" && cmp "$1" "$tap_scratch/again.csv"
}

for file in "$data"/minimalloc/*.csv "$data"/idealloc/*.csv "$data"/tight/t?_?.csv; do
    [ -f "$file" ] || continue
    name=${file#"$data"/}
    tap_check "$name: load, width, sizes and number as awk has them" \
        tap_same "$(bounds "$file")" "$(figures "$file")"
    tap_check "$name: written as it was read" same_again "$file"
done

# Published: the number of buffers of S_1, and that the load of A, E, G and I
# is the capacity they are meant for while C has room to spare.
# published FILE TEXT FIGURE VALUE: skipped where the file is missing.
published()
{
    if [ -f "$data/$1" ]; then
        tap_check "$2" tap_same "$("$3" "$data/$1")" "$4"
    else
        tap_skip "$1: not among the real inputs"
    fi
}
published idealloc/S_1.csv "S_1 has 28526 buffers" buffers 28526
for letter in A E G I; do
    published "minimalloc/$letter.1048576.csv" "$letter fills its capacity" load 1048576
done
published minimalloc/C.1048576.csv "C does not" load 1039360

# The tight instances come with their number of buffers and load.
listed()
{
    awk -F, -v data="$data/tight/" 'NR > 1 { print data $1, $2, $3 }' "$data/tight/optima.csv" |
        while read -r file buffers load; do
            [ "$(buffers "$file"),$(load "$file")" = "$buffers,$load" ] || echo "$file"
        done
}
if [ -f "$data/tight/optima.csv" ]; then
    tap_check "tight instances as their list says" tap_nothing listed
else
    tap_skip "tight: not among the real inputs"
fi

tap_done
