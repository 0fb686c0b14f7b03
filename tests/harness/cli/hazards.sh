#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hazards: pairs of buffers beside an instance, costs of reuse, and what is said of what is wrong.
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_command=hazards
. "$top_srcdir/tests/support/command.sh"

printf 'id,lower,upper,size\nload,0,2,64\nconv,1,3,96\nleft,3,5,80\nright,3,5,80\nstore,4,6,64\n' >lives.csv
printf 'kind,a,b,cost\napart,load,store,\nexclusive,left,right,\nreuse,conv,left,3\nreuse,conv,store,1\n' >pairs.csv
given='lives.csv --pairs pairs.csv'
echo '{"schema_version": 1}' >short.json
json=yes
"$arenabench" hazards short.json 2>&1 | grep -q 'built without libjansson' && json=no

# shellcheck disable=SC2086
{
    tap_check "the least cost, proven" prints "all,,5,176,1,1,optimal" $given --capacity 224 --format csv
    tap_check "as a sentence" prints "It fits, and no plan that fits pays less." $given --capacity 224
    tap_check "without a limit nothing is paid" prints "all,,5,240,0,0,optimal" $given --format csv
    tap_check "what programs read" prints '"pool": "all", "capacity_bytes": null, "buffers": 5' $given --format json
    tap_check "planners beside each other" prints "first-fit,0,3,224,," $given --capacity 224 --format csv \
        --planner first-fit --planner exact --time-limit 1
    tap_check "all of them" prints "promote-all,16,0,240,," $given --capacity 224 --format csv --planner all \
        --time-limit 0.1
    tap_check "what can't fit" exits 1 $given --capacity 150
    tap_check "and how little it exceeds the capacity" exits 1 $given --capacity 150 --format csv --output over.csv
    tap_check "can be written" grep -q '^store,4,6,64,' over.csv
    tap_check "the offsets are written" quiet '' $given --capacity 224 --format csv --output plan.csv
    tap_check "and judged" prints "all,,5,176,1,,feasible" $given --capacity 224 --format csv --judge plan.csv
    if [ "$json" = yes ]; then
        tap_check "as JSON" quiet '' $given --capacity 224 --format csv --output plan.json
        tap_check "too" prints "all,,5,176,1,,feasible" $given --capacity 224 --format csv --judge plan.json
    fi
    sed 's/^store,.*/store,4,6,64,0/; s/^load,.*/load,0,2,64,0/' plan.csv >wrong.csv
    tap_check "a pair that overlaps is named" fails "conflict, but overlap" \
        $given --judge wrong.csv
    tap_check "without pairs it is a plan of lifetimes" prints "optimal" lives.csv --format csv
}
tap_command=compare
tap_check "planners on pairs" prints "first-fit-by-size,feasible,224,160,160," lives.csv:pairs=pairs.csv --format csv
tap_check "and those that know lifetimes alone" prints "plans by lifetimes alone" lives.csv:pairs=pairs.csv \
    --format csv
tap_check "costs are left out" "$arenabench" bounds lives.csv:pairs=pairs.csv
tap_command=hazards
for row in "apart,load,load:a pair of 'load' with itself" "apart,load,none:the instance has no buffer 'none'" \
    "near,load,left:no kind 'near'; expected apart, exclusive, together or reuse"; do
    printf 'kind,a,b\n%s\n' "${row%%:*}" >bad.csv
    tap_check "refused: ${row%%:*}" refuses "bad.csv:2:" lives.csv --pairs bad.csv
    tap_check "with the reason" refuses "${row#*:}" lives.csv --pairs bad.csv
done
printf 'kind,a,b\napart,load,left\nexclusive,left,load\n' >bad.csv
tap_check "what contradicts itself" refuses "buffers 'left' and 'load' are exclusive, and apart" lives.csv \
    --pairs bad.csv
tap_check "no such planner" refuses "no planner 'best'; expected one of first-fit, promote-all" lives.csv \
    --planner best
tap_check "no such file" refuses "none.json: No such file" none.json
cp lives.csv other.csv
printf 'file,best_cost\nther.csv,0\nother.csv,4\nr/lives.csv,\n' >known.csv
tap_check "several problems" prints "2 rows: 2 fit, 2 are proven" lives.csv other.csv
tap_check "beside what is known" prints "Beside what is known: 1 cost less, 0 the same, 0 more." lives.csv other.csv \
    --known known.csv
tap_check "a row each" prints "other.csv,exact,0,0,224,224,4," lives.csv other.csv --known known.csv --format csv
tap_check "which files are none" refuses "none.csv" lives.csv none.csv
tap_check "no plan of several" refuses "are for one problem" lives.csv other.csv --output plan.csv
printf 'file,cost\n' >bad.csv
tap_check "no known costs" refuses "bad.csv:1:" lives.csv --known bad.csv
printf 'file,best_cost\nlives.csv,-2\n' >bad.csv
tap_check "nor below 0" refuses "bad.csv:2:11:" lives.csv --known bad.csv
if [ "$json" = yes ]; then
    tap_check "JSON without a problem" refuses "short.json: the file: no member 'instance'" short.json
    echo '{"schema_version": 1' >short.json
    tap_check "half a file" refuses "short.json:2:0: no JSON" short.json
else
    tap_check "JSON without libjansson" refuses "short.json: built without libjansson: JSON files can't be read" short.json
fi
tap_done
