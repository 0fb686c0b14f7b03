#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The table of known optima: report --optima merges proofs into it, reports use it, and no
# solver knows of it.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

arenabench=${top_builddir:?}/arenabench
make_results=$top_builddir/tests/harness/report/make_results
table=$top_srcdir/results/reference/optima.csv

# Sources that know of the table, but for those of reports.
readers()
{
    (cd "$1" && for folder in lib planner runtime workloads solvers kernels harness; do
        [ ! -d "$folder" ] || find "$folder" -name '*.[ch]'
    done | xargs grep -l -e 'optima\.csv' -e 'harness/store/optima\.h' |
        grep -v -e '^harness/store/optima\(_certify\)\?\.[ch]$' -e '^harness/report/report\.c$' \
            -e '^harness/cli/command_report\.c$')
}

tap_check "only reports read the table" tap_nothing readers "$top_srcdir"

cd "$tap_scratch" || exit 99
mkdir -p tree/solvers/fit
echo 'FILE *in = fopen("results/reference/optima.csv", "r");' >tree/solvers/fit/a.c
tap_check "a solver that did would be found" tap_same "$(readers tree)" solvers/fit/a.c

lines()
{
    tap_same "$(cat "$1")" "$2"
}

# What sample_results.c proves of its five instances; one is open, and one was only given to
# heuristics, which is no entry.  A file has no name: it is where it is.
proven='checksum,name,lower,upper,lower_by,upper_by
0000000000000003,,105,120,glpk,glpk
0000000000000002,net<b>&"q",110,110,glpk,glpk
0000000000000004,net<b>&"q":fuse=all,100,100,load,greedy-by-size
0000000000000001,uniform:seed=1,100,100,load,glpk'
"$make_results" usual runs || exit 99
tap_check "a new table" tap_exits 0 "$arenabench" report runs --optima new.csv
tap_check "has the bounds and who proved them" lines new.csv "$proven"
tap_check "again" tap_exits 0 "$arenabench" report runs --optima new.csv
tap_check "changes nothing" lines new.csv "$proven"
tap_check "and makes no figures" test ! -e runs/figures

# Better on either side stays, worse becomes better.
known='checksum,name,lower,upper,lower_by,upper_by
0000000000000003,uniform:seed=3,108,130,a,b
0000000000000005,random-dag:seed=1,90,140,a,b
00000000000000ff,,7,8,a,b'
echo "$known" >known.csv
tap_check "an older table" tap_exits 0 "$arenabench" report runs --optima known.csv
tap_check "keeps a higher lower bound" grep -q '^0000000000000003,uniform:seed=3,108,120,a,glpk$' \
    known.csv
tap_check "and a lower upper bound" \
    grep -q '^0000000000000005,random-dag:seed=1,100,140,load,b$' known.csv
tap_check "and what these runs know nothing of" grep -q '^00000000000000ff,,7,8,a,b$' known.csv

# refused TEXT: the file is refused and left as it is.
refused()
{
    echo "$1" >bad.csv
    cp bad.csv before.csv
    tap_exits 1 "$arenabench" report runs --optima bad.csv && cmp bad.csv before.csv
}

header='checksum,name,lower,upper,lower_by,upper_by'
tap_check "a lower bound above a verified peak" refused "$header
0000000000000001,uniform:seed=1,101,200,a,b"
tap_check "is named" grep -q 'uniform:seed=1.*101 contradicts.*100' err
tap_check "a peak below a proven bound" refused "$header
0000000000000002,net,90,109,a,b"
tap_check "bounds that cross" refused "$header
0000000000000009,x,9,8,a,b"
tap_check "with their place" grep -q 'bad\.csv:2:' err
tap_check "an instance twice" refused "$header
0000000000000009,x,1,8,a,b
0000000000000009,y,1,8,a,b"
tap_check "no checksum" refused "$header
9,x,1,8,a,b"
tap_check "nobody" refused "$header
0000000000000009,x,1,8,,b"
tap_check "another header" refused "id,lower,upper"
tap_check "a folder" tap_exits 1 "$arenabench" report runs --optima runs
"$make_results" wrong wrong || exit 99
tap_check "runs that contradict themselves" tap_exits 1 "$arenabench" report wrong --optima w.csv
tap_check "leave no table" test ! -e w.csv

# A report with what is known: the open instance is 120 / 108 now, at best 112.
mkdir -p share/results/reference
cp -R "$top_srcdir/plots" share && chmod -R u+w share
# figures NAME TABLE: the data of figure NAME with that table.
figures()
{
    cp "$2" share/results/reference/optima.csv
    ARENABENCH_SHARE=$PWD/share PATH=$PWD "$arenabench" report runs --figures "$1" 2>err
}
echo "$header" >none.csv
figures gap none.csv
tap_check "without the table an instance is open" grep -q '^open,' runs/figures/gap.csv
tap_check "and its gap is to the bound of 105" grep -q '^open,greedy-by-size,.*0\.1999' \
    runs/figures/gap.csv
echo "$header
0000000000000003,uniform:seed=3,112,112,a,b" >open.csv
figures gap open.csv
tap_check "with it the optimum is known" sh -c '! grep -q "^open," runs/figures/gap.csv'
tap_check "although no run here has reached it" grep -q '^hard,greedy-by-size,.*0\.125,' \
    runs/figures/gap.csv
echo "$header
0000000000000003,uniform:seed=3,121,121,a,b" >open.csv
ARENABENCH_SHARE=$PWD/share
export ARENABENCH_SHARE
cp open.csv share/results/reference/optima.csv
tap_check "a bound above a verified peak is seen" tap_exits 1 "$arenabench" report runs --no-figures
tap_check "and named" grep -q 'c.csv.*121.*120' err
unset ARENABENCH_SHARE

# A certificate: of the gap gadget, whose optimum is 5.
"$arenabench" solve gadget --solver branch-and-bound --output g.csv --certificate g.txt 2>err
sum=$(sed -n 's/^instance //p' g.txt)
certify()
{
    tap_exits "$1" "$arenabench" verify gadget g.csv --certificate "$2" --optima "$3"
}
printf '%s\n%s,gadget,4,5,load,a\n' "$header" "$sum" >gadget.csv
tap_check "a certificate" certify 0 g.txt gadget.csv
tap_check "is noted with its bound" lines gadget.csv "$header
$sum,gadget,5,5,certificate,a"
echo "$header" >none.csv
tap_check "not of what is not there" certify 1 g.txt none.csv
tap_check "which is said" grep -q "none.csv: there is no entry for the instance $sum" err
sed 's/^capacity 4/capacity 5/' g.txt >more.txt
printf '%s\n%s,gadget,4,6,load,a\n' "$header" "$sum" >gadget.csv
cp gadget.csv before.csv
tap_check "nor one that is refused" certify 1 more.txt gadget.csv
tap_check "which changes nothing" cmp gadget.csv before.csv
tap_check "a table without a certificate is none" tap_exits 2 "$arenabench" verify gadget g.csv \
    --optima gadget.csv
tap_check "nor is a file that is not there" certify 1 g.txt no.csv

# The project's own: each of these instances is in it, with its optimum.
same()
{
    got=$("$arenabench" solve "$1" --solver branch-and-bound 2>&1 >plan.csv |
        sed -n 's/.*: optimal, peak \([0-9]*\),.*/\1/p')
    tap_same "$(tr ';' ',' <"$table" | sed -n "s/^[0-9a-f]*,$1,//p" | cut -d , -f 1-2)" "$got,$got"
}
for instance in gadget:repeat=1 gadget uniform:n=12,seed=10 chain:n=20,seed=3 resnet50 \
    squeezenet1_0:fuse=all; do
    tap_check "$instance" same "$instance"
done
tap_done
