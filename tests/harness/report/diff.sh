#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command diff: two folders of results whose runs differ in known ways.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
arenabench=${top_builddir:?}/arenabench
cd "$tap_scratch" || exit 99

# A planner that stacks, one that leaves N bytes below the first buffer, one that fails.
planner()
{
    { echo "BEGIN { top = $2 }" && cat "$top_srcdir/tests/support/stack.awk"; } >"$1.awk"
}
swept()
{
    folder=$1
    shift
    tap_exits 0 "$arenabench" sweep 'uniform:n=6,seed={1..2}' --output "$folder" --solvers \
        "naive,exec:same=awk -f same.awk,exec:worse=awk -f worse.awk,exec:better=awk -f better.awk,exec:lost=awk -f lost.awk,exec:found=awk -f found.awk,exec@4s:slow=awk -f same.awk; sleep \$(cat slow)" \
        "$@"
}
for name in same worse found lost; do planner "$name" 0; done
planner better 9
echo 'BEGIN { exit 1 }' >found.awk
echo 0 >slow
tap_check "the old sweep" swept old --solvers first-fit-by-size
echo 60 >slow
cp -r old limit
tap_check "the old sweep with a planner that takes long" swept limit --solvers first-fit-by-size \
    "--force=exec:slow*"
planner worse 7
planner better 2
planner found 0
echo 'BEGIN { exit 1 }' >lost.awk
tap_check "the new sweep" swept new --solvers tflm
# The rows of one kind, with w for the workload.
changes()
{
    "$arenabench" diff "$1" "$2" --format csv | sed 1d | grep "^$3," | sed 's/"uniform:[^"]*"/w/; s/uniform:n=6/w/'
}

tap_check "a plan got worse: status 1" tap_exits 1 "$arenabench" diff old new
tap_check "... with a summary" grep -q \
    '^14 runs in both, 5 of them the same, 4 worse, 4 better, 1 with another outcome where a limit cut a run, 2 gone, 2 new$' out
tap_check "... of both folders' runs" tap_same "$(changes old new worse | cut -d, -f3,4 | sort | uniq -c |
    awk '{ $1 = $1 } 1')" "2 w,exec:lost
2 w,exec:worse"
tap_check "worse is by as many bytes" tap_same "$(changes old new worse | grep exec:worse |
    awk -F, '{ print $10 - $9 }')" "7
7"
tap_check "a plan that is lost has no peak" tap_same "$(changes old new worse | grep exec:lost |
    cut -d, -f8,10 | uniq)" "crashed,"
tap_check "better" tap_same "$(changes old new better | cut -d, -f4 | sort | uniq -c |
    awk '{ $1 = $1 } 1')" "2 exec:better
2 exec:found"
tap_check "gone" tap_same "$(changes old new gone | cut -d, -f4 | uniq)" first-fit-by-size
tap_check "new" tap_same "$(changes old new new | cut -d, -f4 | uniq)" tflm
tap_check "what a limit cut is the same where its plan is" tap_same "$(changes old new worse-in-time)" ""
tap_check "the other way round it is what it was" tap_exits 1 "$arenabench" diff new old
tap_check "... the other way round" grep -q '4 worse, 4 better, 1 with another outcome where a limit cut a run, 2 gone, 2 new$' out
tap_check "a folder and itself" tap_exits 0 "$arenabench" diff old old
tap_check "... are the same" tap_same "$(cat out)" "16 runs in both, 16 of them the same"
tap_check "... in CSV too" tap_same "$("$arenabench" diff old old --format csv | wc -l | tr -d ' ')" 1
tap_check "times alone" tap_exits 1 "$arenabench" diff old new --table times --format csv
tap_check "... of whom no limit cut" tap_same "$(sed 1d out | cut -d, -f1,2 | sort)" \
"exec:better,2
exec:found,2
exec:lost,2
exec:same,2
exec:worse,2
naive,2"
tap_check "... without a verdict on two runs" tap_same "$(sed 1d out | cut -d, -f6 | uniq)" ""

"$arenabench" sweep uniform:n=5 --solvers naive --name other --output other >/dev/null 2>&1
tap_check "another experiment" tap_exits 0 "$arenabench" diff old other
tap_check "... is named, and the first" tap_same "$(cat out)" "0 runs in both, 0 of them the same
experiment adhoc is in the old results alone
experiment other is in the new results alone"
printf 'id,lower,upper,size\na,0,2,5\nb,1,3,5\n' >changed.csv
"$arenabench" sweep changed.csv --solvers naive --output before >/dev/null 2>&1
printf 'id,lower,upper,size\na,0,2,5\nb,1,3,6\n' >changed.csv
"$arenabench" sweep changed.csv --solvers naive --output after >/dev/null 2>&1
tap_check "an instance that changed is not compared" tap_exits 0 "$arenabench" diff before after
tap_check "... and said" grep -q '1 of an instance that is another now' out

tap_check "a report with what changed" tap_exits 0 "$arenabench" report new --no-figures --against old
tap_check "... says so on its page" grep -q \
    '^<p>14 runs in both, 5 of them the same, 4 worse, 4 better, 1 with another outcome where a limit cut a run, 2 gone, 2 new.</p>$' \
    new/report.html
tap_check "... where a link leads to" grep -q '<a href="#changes">What changed</a>' new/report.html
tap_check "... with the runs" grep -q '<td>worse</td><td>adhoc</td><td>uniform:n=6</td><td>exec:lost</td>' \
    new/report.html
tap_check "... of a folder that is not there" tap_exits 2 "$arenabench" report new --no-figures \
    --against nowhere
tap_check "... names it" grep -q 'nowhere/results.db: No such file' err

# A file of runs in the place of a folder.
for folder in old new; do
    tap_check "the runs of $folder as a file" tap_exits 0 "$arenabench" report "$folder" --runs "$folder.csv"
done
tap_check "... what a limit cut without what it found" tap_same "$(grep -c ',cut,[0-9a-f]*,,$' new.csv)" 2
tap_check "... is the same as the folder" tap_exits 0 "$arenabench" diff old.csv old --same
tap_check "... all of it" tap_same "$(cat out)" "16 runs in both, 16 of them the same"
tap_check "... and as itself" tap_exits 0 "$arenabench" diff new.csv new.csv --same
tap_check "... but for what a limit cut" tap_same "$(cat out)" \
    "14 runs in both, 14 of them the same; 2 that a limit cut are not compared"
"$arenabench" diff old new --format csv >folders.csv
tap_check "diff of a file is what it is of its folder" \
    tap_same "$("$arenabench" diff old.csv new --format csv)" "$(cat folders.csv)"
tap_check "... and of two, but for what a limit cut" \
    tap_same "$("$arenabench" diff old.csv new.csv --format csv)" "$(grep -v ,timeout, folders.csv)"
tap_check "... as of a folder and a file" \
    tap_same "$("$arenabench" diff old new.csv --format csv)" "$(grep -v ,timeout, folders.csv)"
tap_check "a file that is written again is the same" tap_exits 0 "$arenabench" report old.csv --runs again.csv
tap_check "... to the byte" cmp old.csv again.csv
tap_check "a report against a file" tap_exits 0 "$arenabench" report new --no-figures --against old.csv
tap_check "... says what changed" grep -q '^<p>14 runs in both, 5 of them the same, 4 worse' new/report.html

# What a limit cut on an instance that is another now counts as such, and not as cut.
sed 's/,cut,[0-9a-f]*,/,cut,0123456789abcdef,/' new.csv >moved.csv
tap_check "cut runs of another instance" tap_exits 1 "$arenabench" diff old.csv moved.csv
tap_check "... are said once" tap_same "$(head -n 1 out)" \
    "14 runs in both, 4 of them the same, 4 worse, 4 better, 2 of an instance that is another now, 2 gone, 2 new"

# --same: better, new and gone are changes too.
sed 's/,exec:better,1,1,feasible,\(.*\),\([0-9]*\),\([0-9]*\)$/,exec:better,1,1,feasible,\1,99999,\3/' old.csv >high.csv
tap_check "better is no failure" tap_exits 0 "$arenabench" diff high.csv old
tap_check "... but a change" tap_exits 1 "$arenabench" diff high.csv old --same
sed '/,exec:better,1,1,feasible,/s/,feasible,/,optimal,/' old.csv >proven.csv
tap_check "another outcome is a failure" tap_exits 1 "$arenabench" diff proven.csv old
tap_check "... without anything that is worse" tap_same "$(sed -n '1s/^[^,]*,[^,]*, //p' out)" \
    "2 with another outcome"
tap_check "... where a limit cut a run it is none" tap_exits 0 "$arenabench" diff old.csv limit
tap_check "... nor a change" tap_exits 0 "$arenabench" diff old.csv limit --same
tap_check "... and said" grep -q ', 1 with another outcome where a limit cut a run$' out
grep -v first-fit-by-size old.csv >fewer.csv
tap_check "new is no failure" tap_exits 0 "$arenabench" diff fewer.csv old
tap_check "... but a change" tap_exits 1 "$arenabench" diff fewer.csv old --same
tap_check "gone is one too" tap_exits 1 "$arenabench" diff old fewer.csv --same
tap_check "... and a failure" tap_exits 1 "$arenabench" diff old fewer.csv
tap_check "what a limit cut is none" tap_exits 0 "$arenabench" diff new.csv new --same
tap_check "no run in common is not the same" tap_exits 1 "$arenabench" diff old.csv other --same
tap_check "... and said" grep -q 'no run in common' err

# What is wrong with a file is said with its place.
tap_check "another header" tap_exits 2 "$arenabench" diff folders.csv old
tap_check "... at line 1" grep -q "folders.csv:1:1: " err
sed '3s/,[0-9a-f]\{16\},/,xyz,/' old.csv >bad.csv
tap_check "another checksum" tap_exits 2 "$arenabench" diff bad.csv old
tap_check "... at its line" grep -q "bad.csv:3:[0-9]*: checksum 'xyz'; expected 16 digits" err
tap_check "... as NEW too" tap_exits 2 "$arenabench" diff old bad.csv
sed 3p old.csv >twice.csv
tap_check "a run twice" tap_exits 2 "$arenabench" report new --no-figures --against twice.csv
tap_check "... with both lines" grep -q 'twice.csv:4: the run of line 3 again' err
tap_check "runs of no folder" tap_exits 2 "$arenabench" report nowhere --runs none.csv
tap_check "... are not written" test ! -e none.csv
tap_check "runs into no folder" tap_exits 1 "$arenabench" report old --runs nowhere/none.csv

tap_check "no folder" tap_exits 2 "$arenabench" diff old nowhere
tap_check "... is named" grep -q 'nowhere/results.db: No such file' err
tap_check "... the first too" tap_exits 2 "$arenabench" diff nowhere old
mkdir foreign && echo 'no database, but text' >foreign/results.db
tap_check "no store" tap_exits 2 "$arenabench" diff foreign old
tap_check "... is said" grep -q 'not a database' err
tap_check "an unknown table" tap_exits 2 "$arenabench" diff old new --table time
tap_check "... suggests the nearest" grep -q "did you mean 'times'" err
tap_done
