#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# MiniMalloc's command line tool (github.com/google/minimalloc) as a program for arenabench:
#
#     arenabench compare hard.csv --solvers 'minimalloc,exec:tool=sh minimalloc.sh'
#     arenabench solve hard.csv --solver 'exec:sh minimalloc.sh --capacity=1048576'
#
#     minimalloc.sh [--tool=PATH] [--capacity=BYTES] [FLAG...]
#
# The tool answers whether a capacity is enough.  With --capacity it is asked that one; else those
# between a lower bound and the best peak, halving, and each plan is written as it comes.  A
# question has a quarter of the time that is left, one that is asked alone all of it.  What is not
# answered in that time counts as no, so the best plan need not be the optimum then.  FLAGs go to
# the tool, such as --check_dominance=false.  Under shapes=on it gets the gaps, which it knows.
set -eu

fail()
{
    echo "minimalloc.sh: $1" >&2
    exit 1
}

tool=minimalloc
capacity=
while [ $# -gt 0 ]; do
    case $1 in
    --tool=*) tool=${1#*=} ;;
    --capacity=*) capacity=${1#*=} ;;
    *) break ;;
    esac
    shift
done
case $capacity in
*[!0-9]*) fail "--capacity=$capacity: expected a number of bytes" ;;
esac
command -v "$tool" >/dev/null || fail "$tool: not found; --tool=PATH says where MiniMalloc's tool is"

work=$(mktemp -d "${TMPDIR:-/tmp}/minimalloc.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Seconds since 1970; a little is kept back, to end and tidy up before the limit.
now()
{
    date +%s.%N
}
start=$(now)
limit=${ARENABENCH_TIME_LIMIT:-}

# share PART: the flag for this part of what is left of the time; nothing without a limit.
share()
{
    [ -n "$limit" ] || return 0
    awk -v start="$start" -v now="$(now)" -v limit="$limit" -v part="$1" 'BEGIN {
        left = 0.95 * limit - (now - start)
        printf("--timeout=%.0fms", (left * part > 0.001) ? 1000 * left * part : 1)
    }'
}

in_time()
{
    [ -z "$limit" ] || awk -v start="$start" -v now="$(now)" -v limit="$limit" \
        'BEGIN { exit !(now - start < 0.9 * limit) }'
}

# The tool has no use for buffers of size 0.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "size") size = i } NR == 1 || $size > 0' \
    >"$work/in.csv"

# What every plan needs (the load; with gaps the largest buffer), and what is enough for any.
bounds()
{
    awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    {
        size = $column["size"]
        if (size > largest) largest = size
        stack += size + (("alignment" in column) ? $column["alignment"] - 1 : 0)
        printf "%s 1 %s\n%s 0 -%s\n", $column["lower"], size, $column["upper"], size
    }
    END { printf "- %.0f %.0f\n", (("gaps" in column) ? largest : -1), stack }' "$work/in.csv" |
        sort -k1,1n -k2,2n | awk '
    $1 == "-" { low = $2; high = $3; next }
    { load += $3; if (load > most) most = load }
    END { printf "%.0f %.0f\n", (low < 0 ? most : low), high }'
}

# ask CAPACITY PART FLAG...: writes the plan and leaves its peak in $peak, or fails where the tool
# says no or nothing in time.
ask()
{
    asked=$1
    timeout=$(share "$2")
    shift 2
    rm -f "$work/out.csv"
    status=0
    "$tool" --capacity="$asked" --input="$work/in.csv" --output="$work/out.csv" \
        ${timeout:+"$timeout"} "$@" >"$work/said" 2>&1 || status=$?
    [ $status -ne 1 ] || return 1
    if [ $status -ne 0 ] || [ ! -s "$work/out.csv" ]; then
        tail -n 3 "$work/said" >&2
        fail "$tool ended with status $status and $([ -s "$work/out.csv" ] || echo no) output"
    fi
    peak=$(awk -F, -v plan="$work/plan" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; print "id,offset" >plan; next }
        {
            print $column["id"] "," $column["offset"] >plan
            top = $column["offset"] + $column["size"]
            if (top > peak) peak = top
        }
        END { printf "%.0f", peak }' "$work/out.csv")
    cat "$work/plan"
}

if [ "$(wc -l <"$work/in.csv")" -le 1 ]; then
    echo id,offset
    exit 0
fi
if [ -n "$capacity" ]; then
    ask "$capacity" 1 "$@" || fail "no plan in $capacity bytes: refuted, or no answer in time"
    exit 0
fi
read -r low high <<END
$(bounds)
END
ask "$high" 0.25 "$@" || fail "no plan in $high bytes, the sum of the sizes: no answer in time"
high=$peak
if [ "$low" -lt "$high" ] && ask "$low" 0.25 "$@"; then
    high=$peak
fi
low=$((low + 1))
while [ "$low" -lt "$high" ] && in_time; do
    middle=$((low + (high - low) / 2))
    if ask "$middle" 0.25 "$@"; then
        high=$peak
    else
        low=$((middle + 1))
    fi
done
