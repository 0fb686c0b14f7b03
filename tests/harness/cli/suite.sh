#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command suite: lists, exports that sha256sum takes, scores of anybody's plans and programs,
# submissions that are better, worse, tampered with, or can't be written.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_command=suite
. "$top_srcdir/tests/support/command.sh"

# Field N of the row of INSTANCE in a suite's table.
field()
{
    awk -F, -v name="$2" -v field="$3" '$1 == name { print $field }' "$1/2026.1.csv"
}

# --- list ---

table=$top_srcdir/suite/2026.1.csv
tap_check "a list" exits 0 list --format csv
tap_check "has all instances" tap_same "$(sed 1d out | wc -l)" "$(sed 1d "$table" | wc -l)"
tap_check "of a class, small ones" exits 0 list --class tight,pieces --most 40 --format csv
tap_check "has these alone" tap_nothing awk -F, 'NR > 1 && ($2 != "tight" && $2 != "pieces" || $3 > 40)' out
tap_check "and some" test "$(wc -l <out)" -gt 4
tap_check "a class that is none" refuses "unknown class of the suite 'tigt' (did you mean 'tight'?)" \
    list --class tigt
tap_check "a part that is none" refuses "unknown part 'lst' (did you mean 'list'?)" lst
tap_check "an option of another part" refuses "--by is of 'suite submit'" list --by me
tap_check "score without plans" refuses "a folder of plans, or --solver NAME" score
tap_check "export without a folder" refuses "one folder to write" export
tap_check "another suite that is not there" refuses "nowhere/2026.1.csv" list --suite nowhere

# Workloads of the experiment of that name: CSV, which quotes what has commas.
experiment()
{
    "$arenabench" sweep suite --dry-run --format csv --output dry "$@" |
        awk -F'"' 'NR > 1 { if (NF > 1) print $2; else { split($0, cell, ","); print cell[2] } }' | sort -u
}
workloads()
{
    sed 1d "$table" | cut -d, -f3 | tr ';' ',' | sort
}
experiment >sample
workloads >known
if ! tap_whole; then
    tap_skip "making all instances of the suite: make check-all"
else
    experiment --full >all
    tap_check "the experiment has the suite" cmp all known
fi
tap_check "in the quick size a sample" test "$(wc -l <sample)" -ge 14
tap_check "of it" tap_nothing comm -23 sample known

# --- export ---

tap_check "an export" exits 0 export set --class tight,pieces,aligned --most 60
tap_check "whose checksums are right" sh -c 'cd set && sha256sum --quiet -c SHA256SUMS'
tap_check "of every file" tap_same "$(sed 's/.*  //' set/SHA256SUMS | sort)" \
    "$(cd set && find . -type f ! -name SHA256SUMS | sed 's|^\./||' | sort)"
tap_check "with what the table says" tap_nothing awk -F, '
    FNR == NR { sum = $0; sub(/ .*/, "", sum); name = $0; sub(/.*  /, "", name); sums[name] = sum; next }
    FNR > 1 && sums["instances/" $1 ".csv"] != $7' set/SHA256SUMS set/suite.csv
tap_check "optima as MIPLIB has them" tap_nothing sh -c '
    awk -F, "NR > 1 && \$8 == \$9 { print \"=opt= \" \$1 \" \" \$9 }
             NR > 1 && \$8 < \$9 { print \"=best= \" \$1 \" \" \$9; print \"=bestdual= \" \$1 \" \" \$8 }" \
        set/suite.csv | diff - set/suite.solu'
tap_check "not over another one" fails "set: an export is there already" export set
tap_check "nowhere" fails "none/set: No such file or directory" export none/set
tap_check "without plans" exits 0 export bare --class pieces --most 20 --no-plans
tap_check "there are none" test ! -e bare/plans

# --- score ---

tap_check "the suite's own plans" exits 0 score set/plans --class tight,pieces,aligned --most 60 \
    --format csv
tap_check "are all solved" tap_nothing awk -F, 'NR > 1 && !($2 == $5 && $4 == 0 && $6 == 0 && $7 == 0)' out
tap_check "the line to paste" tap_says err \
    '^suite 2026.1, plans, of tight,pieces,aligned, up to 60 buffers: ([0-9]*) of \1 solved, gap 0.000 % \(worst 0.000 %\)$'

name=$(sed 1d set/suite.csv | awk -F, '$2 == "tight" && $8 > $5 { print $1; exit }')
mkdir one
cp "set/plans/$name.csv" one
printf 'name,time_s\n%s,0.5\n' "$name" >one/times.csv
tap_check "one plan of many" exits 0 score one --class tight --most 60 --each --format csv
tap_check "is solved, in its time" tap_says out "^$name,tight,.*,0.000,0.5000,solved$"
tap_check "the others have none" tap_says out ',no plan$'

# Both buffers that lie lowest at 0: with hundreds of overlaps somewhere they meet.
mkdir bad
awk -F, -v OFS=, 'NR > 1 { $NF = 0 } 1' "one/$name.csv" >"bad/$name.csv"
tap_check "a tampered plan" exits 1 score bad --class tight --most 60
tap_check "is refused with its place" tap_says err "bad/$name.csv: .*overlap"
tap_check "and not solved" tap_says out ': 0 of [0-9]* solved'
echo 'id,offset' >"bad/$name.csv"
tap_check "an empty plan is refused, too" fails "bad/$name.csv:" score bad --class tight --most 60
printf 'name,time_s\nnone,1\n' >bad/times.csv
tap_check "times of what is not there" refuses "bad/times.csv:2:1: unknown instance of the suite 'none'" \
    score bad --class tight
mkdir empty
tap_check "no plans at all" refuses "empty: no plan of the suite; expected files NAME.csv" score empty

tap_check "a solver" exits 0 score --solver branch-and-bound --class tight --most 40 --output kept \
    --format csv
tap_check "solves the small tight ones" tap_nothing awk -F, 'NR > 1 && $2 != $5' out
tap_check "its times are there" tap_says err ', time [0-9.e-]* s, PAR-2 [0-9.e-]* s, limit 60 s$'
tap_check "and kept, with the plans" exits 0 score kept --class tight --most 40 --format csv
tap_check "as it was" tap_nothing awk -F, 'NR > 1 && ($2 != $5 || $9 == "")' out

cat >stack.awk <<'END'
BEGIN { FS = OFS = "," }
NR == 1 { print "id", "offset"; next }
{ print $1, top + 0; top += $4 }
END
tap_check "a program" exits 0 score --solver "exec:stack=awk -f $tap_scratch/stack.awk" --class tight --most 30
tap_check "that stacks everything solves nothing" tap_says out '^suite 2026.1, exec:stack, of tight, up to 30 buffers: 0 of'
tap_check "one that fails" exits 1 score --solver 'exec:false' --class tight --most 30
tap_check "a solver that is none" refuses "unknown solver 'branch'" score --solver branch

# --- submit ---

# A suite that knows less: the peak of NAME is 5 above the best.
fresh()
{
    rm -rf mine
    mkdir -p mine/plans
    cp "$top_srcdir/suite/README.md" mine
    awk -F, -v OFS=, -v name="$name" '$1 == name { $9 += 5; $11 = "x"; $12 = "greedy-by-size" } 1' \
        "$table" >mine/2026.1.csv
    cp mine/2026.1.csv before.csv
}

unchanged()
{
    cmp before.csv mine/2026.1.csv && [ ! -e "mine/plans/$name.csv" ] &&
        [ -z "$(find mine -name '*.new')" ]
}

best=$(field "$top_srcdir/suite" "$name" 9)
fresh
tap_check "a better plan" exits 0 submit "one/$name.csv" --suite mine --by 'me, too'
tap_check "is said" tap_says out "^$name: peak $best, before $((best + 5)), which is the optimum$"
tap_check "and merged" tap_same "$(field mine "$name" 9),$(field mine "$name" 11),$(field mine "$name" 12)" \
    "$best,me; too,stored"
tap_check "nothing else changes" tap_same "$(diff before.csv mine/2026.1.csv | grep -c '^>')" 1
tap_check "its plan is kept" "$arenabench" verify "set/instances/$name.csv" "mine/plans/$name.csv"
cp mine/2026.1.csv before.csv
tap_check "the same again" fails "a peak of $best is not below the best known, $best" \
    submit "one/$name.csv" --suite mine
tap_check "changes nothing" cmp before.csv mine/2026.1.csv

fresh
"$arenabench" solve "set/instances/$name.csv" --solver naive --output worse.csv 2>/dev/null
tap_check "a worse one" fails "is not below the best known" submit worse.csv --name "$name" --suite mine
tap_check "leaves the suite as it was" unchanged
awk -F, -v OFS=, 'NR > 1 { $NF = 0 } 1' "one/$name.csv" >"bad/$name.csv"
tap_check "a tampered one" fails "not a plan of $name" submit "bad/$name.csv" --suite mine
tap_check "leaves it, too" unchanged
tap_check "a malformed one" refuses "stack.awk:1:1: unknown column" \
    submit stack.awk --name "$name" --suite mine
tap_check "of what is not there" refuses "unknown instance of the suite 'worse'" submit worse.csv --suite mine
tap_check "a file that is not there" refuses "No such file" submit none.csv --name "$name" --suite mine
tap_check "all leave it" unchanged
rmdir mine/plans
tap_check "a plan that can't be written" exits 1 submit "one/$name.csv" --suite mine
tap_check "leaves the table" cmp before.csv mine/2026.1.csv

# Two at once: neither is lost.
other=$(sed 1d set/suite.csv | awk -F, -v name="$name" '$2 == "tight" && $1 != name { print $1; exit }')
for round in 1 2 3 4 5; do
    fresh
    awk -F, -v OFS=, -v name="$other" '$1 == name { $9 += 5 } 1' before.csv >mine/2026.1.csv
    "$arenabench" suite submit "set/plans/$name.csv" --suite mine >/dev/null 2>&1 &
    "$arenabench" suite submit "set/plans/$other.csv" --suite mine >/dev/null 2>&1
    wait
    [ "$(field mine "$name" 9)" = "$best" ] &&
        [ "$(field mine "$other" 9)" = "$(field "$top_srcdir/suite" "$other" 9)" ] || echo "$round"
done >lost
tap_check "two submissions at once are both merged" test ! -s lost

# A bound comes with a certificate.
fresh
awk -F, -v OFS=, -v name="$name" '$1 == name { $8 = $5; $10 = "load"; $9 -= 5 } 1' before.csv >mine/2026.1.csv
"$arenabench" solve "set/instances/$name.csv" --solver branch-and-bound --certificate "$name.txt" \
    --output /dev/null 2>/dev/null
tap_check "a certificate" exits 0 submit "$name.txt" --suite mine --by prover
tap_check "raises the bound" tap_says out "^$name: lower bound $best, before .*, which is the optimum$"
tap_check "in the table, with the file" tap_same \
    "$(field mine "$name" 8),$(field mine "$name" 10),$(field mine "$name" 13)" \
    "$best,prover,certificates/$name.txt"
tap_check "that is kept" cmp "$name.txt" "mine/certificates/$name.txt"
tap_check "an export with one" exits 0 export certified --suite mine --class tight --most 60 --no-plans
tap_check "... has it too" cmp "$name.txt" "certified/certificates/$name.txt"
tap_check "... and one without no place for it" test ! -e set/certificates
tap_check "the same again" fails "is not above the best known" submit "$name.txt" --suite mine
sed '$d' "$name.txt" >cut.txt
tap_check "one that is cut short" fails "cut.txt:" submit cut.txt --name "$name" --suite mine
tap_check "of another instance" fails "$name.txt:2" submit "$name.txt" --name "$other" --suite mine

tap_done
