#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line: exit statuses, messages and tables of the commands that
# run no solver.
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_command=
. "$top_srcdir/tests/support/command.sh"

cat >small.csv <<'EOF'
id,lower,upper,size
a,0,2,10
b,2,4,10
c,1,3,4
EOF
cat >plan.csv <<'EOF'
id,lower,upper,size,offset
c,1,3,4,10
a,0,2,10,0
b,2,4,10,0
EOF

tap_check "--version" prints "arenabench " --version
tap_check "--help names the commands" prints lifetimes --help
tap_check "no command shows which there are" tap_same "$("$arenabench" 2>&1; echo $?)" \
    "$("$arenabench" --help; echo 2)"
tap_check "an unknown command suggests the nearest" refuses "did you mean 'verify'?" verifi
for word in -h --help help "help help" "help --help" "--help --help"; do
    # shellcheck disable=SC2086
    tap_check "$word is the program's help" prints "Usage: arenabench COMMAND" $word
done
for word in -V --version version; do
    tap_check "$word is the version" prints "arenabench " $word
done
for name in $("$arenabench" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    for words in "$name --help" "$name -h" "help $name" "--help $name"; do
        # shellcheck disable=SC2086
        tap_check "$words" prints "Usage: arenabench $name" $words
    done
    tap_check "$name --version" prints "arenabench " "$name" --version
    tap_check "$name -V" prints "arenabench " "$name" -V
done
tap_check "help of what is no command" refuses "unknown command 'solv' (did you mean 'solve'?)" help solv
tap_check "help of two commands" refuses "too many arguments" help solve conv
tap_check "the default limit of solve is stated" prints "for the solver; 0: none (default 60)" help solve
tap_check "a part of a name suggests names with it" \
    refuses "unknown solver 'greedy' (did you mean 'greedy-by-size' or 'vela-greedy'?)" solve small.csv --solver greedy
tap_check "several, the nearest first" \
    refuses "(did you mean '--cpu-limit', '--time-limit' or '--work-limit'?)" solve small.csv --limit 3
cp small.csv ./-small.csv
tap_check "a file whose name begins with a dash is shown how to name it" \
    refuses "unknown option '-small.csv'; the file of this name is ./-small.csv" bounds -small.csv
tap_check "so that it is read" "$arenabench" bounds ./-small.csv
tap_check "a letter among others that is no option" refuses "unknown option '-xyz'" bounds -xyz small.csv

if [ -w /dev/full ]; then
    for arguments in --help --version "solve --help" "list solvers" "verify small.csv plan.csv"; do
        # shellcheck disable=SC2086
        tap_check "$arguments on a full disk" sh -c '
            "$@" >/dev/full 2>err && exit 1
            [ $? -eq 1 ] && grep -q "No space left" err' sh "$arenabench" $arguments
    done
else
    tap_skip "there is no /dev/full"
fi

# no_wider COLUMNS COMMAND...: than that is no line of what it prints.
no_wider()
{
    columns=$1
    shift
    exits 0 "$@" && tap_nothing awk -v columns="$columns" 'length > columns' out
}
tap_check "list solvers" prints path-cover list solvers
tap_check "list solvers fits eighty columns" no_wider 80 list solvers
tap_check "list planners is the same" prints path-cover list planners
tap_check "one solver, with all that is known of it" prints "evidence    equal to upstream, 206 of 206, tvm" \
    list solvers tvm-size
tap_check "a set of them" tap_same "$("$arenabench" list solvers @ties --format csv | head -n 1)" \
    "solver,title,kind,layout,parameters,source"
tap_check "one says its sets" prints '@heuristics @ties @native @shipped @online' list solvers bfc
tap_check "a set has no others" tap_same "$("$arenabench" list solvers @online | grep -c '^tvm-')" 0
tap_check "an unknown solver suggests the nearest" refuses "did you mean 'tvm-size'?" list solvers tvm-siz
tap_check "one network" refuses "only solvers can be named" list networks alexnet
tap_check "list solvers --long" prints "equal to upstream, 206 of 206, tflite-micro 90b983c" \
    list solvers --long
tap_check "--long of another table" \
    refuses "--long is for solvers, networks and readers, not for generators" list generators --long
for table in networks readers; do
    tap_check "list $table fits a hundred columns" no_wider 100 list $table
    tap_check "and says what parameters mean" prints "Which of the network's inputs and outputs" \
        list $table
    tap_check "which programs do not read" tap_nothing sh -c \
        '"$0" list "$1" --format csv | grep "Which of the"' "$arenabench" $table
done
tap_check "list networks --long has the publications" \
    prints "He, Zhang, Ren and Sun, CVPR 2016" list networks --long
tap_check "list readers --long has the parameters" prints "NAME=NUMBER fuse=none|bn|all" \
    list readers --long
tap_check "parameters of a family" prints "Of lstm_lm, gru_lm:" list networks
tap_check "list networks as CSV" prints "resnet50,ResNet-50" list networks --format csv
# squeezenet1_1, as torchvision's documentation has it.
tap_check "with weights and multiply-accumulates" prints ",1235496,349" list networks --format csv
tap_check "list generators" prints uniform list generators
tap_check "an unknown table suggests the nearest" refuses "did you mean 'solvers'?" list solver
tap_check "list generators as JSON" prints '{"generator": "uniform", ' list generators --format json
tap_check "an unknown format" refuses "expected text, csv or json" list solvers --format xml
tap_check "an unknown option suggests the nearest" \
    refuses "did you mean '--format'?" list solvers --fromat csv
tap_check "an option without its value" refuses "needs a value" list solvers --format

# A source tree that was moved after it was built: its own experiments.
mkdir -p moved/experiments
cp "$arenabench" "${top_srcdir:?}/run_sweep" moved/
sed 's/^name = .*/name = "own";/' "$top_srcdir/experiments/bound.cfg" >moved/experiments/own.cfg
tap_check "a tree that was moved has its experiments" env -u ARENABENCH_SHARE sh -c '
    ./moved/arenabench list experiments | grep -q "^own "'

tap_check "parameters that contradict one another" refuses "uniform: low=9 is above high=3" \
    lifetimes uniform:low=9,high=3
tap_check "... of a generator of networks" refuses "random-dag: low=9 is above high=3" \
    lifetimes random-dag:low=9,high=3
tap_check "lifetimes of a file" prints "c,1,3,4" lifetimes small.csv
tap_check "what lifetimes writes can be read again" sh -c \
    '"$0" lifetimes small.csv >again.csv && "$0" lifetimes again.csv | cmp - again.csv' "$arenabench"
tap_check "CSV loses overwrites and says so" says "overwrites are lost; --format megengine keeps" \
    lifetimes resnet50:inplace=megengine
tap_check "a dump of MegEngine's keeps them" sh -c \
    '"$0" lifetimes --format megengine resnet50:inplace=megengine >kept.txt 2>err && ! test -s err &&
     "$0" lifetimes --format megengine kept.txt | cmp - kept.txt' "$arenabench"
tap_check "and the load" prints "$("$arenabench" bounds --format csv resnet50:inplace=megengine |
    sed -n '2s/^[^,]*,\([0-9]*\),.*/,\1,/p')" bounds --format csv kept.txt
tap_check "a dump says what it has no word for" says "no alignments" \
    lifetimes --format megengine vgg16:alignment=64
tap_check "no other format" refuses "expected csv or megengine" lifetimes --format json vgg16
tap_check "lifetimes of a generator" prints "id,lower,upper,size" lifetimes uniform:n=5,seed=3
tap_check "lifetimes of a network" prints "id,lower,upper,size" lifetimes vgg16
tap_check "an unknown network suggests the nearest" refuses "did you mean 'resnet50'?" lifetimes resnet5o
same_as_small()
{
    exits 0 "$@" && "$arenabench" lifetimes small.csv | cmp - out
}
cp small.csv noending
cp small.csv resnet50
tap_check "a file whose name says nothing is CSV" same_as_small lifetimes noending
tap_check "so is standard input" same_as_small lifetimes - <small.csv
tap_check "a path is a file where a name is a network" same_as_small lifetimes ./resnet50
tap_check "a name is a network where there is such a file" prints "conv1,0,2," lifetimes resnet50
tap_check "a folder is no file" refuses "Is a directory" lifetimes .
tap_check "case is no distance" refuses "did you mean 'resnet50'?" lifetimes ResNet-50
tap_check "a file that is not there" refuses "No such file" lifetimes none.csv
tap_check "a parameter that is unknown" refuses "did you mean 'batch'?" lifetimes resnet50:bach=2
tap_check "a value that is no number" refuses "expected a whole number" lifetimes resnet50:batch=x
tap_check "a value out of its range" refuses "batch=0" lifetimes resnet50:batch=0
tap_check "a parameter given twice" refuses "given twice" lifetimes resnet50:batch=1,batch=2
tap_check "a size that the head cannot take" refuses "size=256" lifetimes vgg16:size=256
tap_check "sizes that overflow" refuses "resnet50" lifetimes resnet50:batch=9000000000000000000
tap_check "too few arguments" refuses "INSTANCE PLAN | INSTANCE SPLIT --memory MEMORY... | DIR expected" verify
tap_check "an instance without a plan" refuses "expected INSTANCE PLAN, or DIR" verify small.csv
tap_check "a parameter that stands apart" refuses "did you mean 'resnet50:batch=8'?" compare resnet50 batch=8
tap_check "... a second one" refuses "did you mean 'resnet50:batch=8,fuse=all'?" \
    compare resnet50:batch=8 fuse=all
tap_check "too many arguments" refuses "too many arguments" verify small.csv plan.csv plan.csv
tap_check "real inputs without their folder" \
    env ARENABENCH_DATA= sh -c '"$0" lifetimes data:minimalloc/A.1048576.csv 2>&1 | grep -q "run ./fetch_data or set ARENABENCH_DATA"' \
    "$arenabench"

tap_check "verify accepts a plan in any order" prints "valid: peak 14, load 14" verify small.csv plan.csv
sed 's/^c.*/c,1,3,4,9/' plan.csv >bad.csv
tap_check "verify refuses an overlap" exits 1 verify small.csv bad.csv
tap_check "and names it" has "'a' at [0, 10) and 'c' at [9, 13) overlap at step 1" out
sed 's/^c.*/c,1,3,4,-1/' plan.csv >negative.csv
tap_check "verify refuses a negative offset" exits 1 verify small.csv negative.csv
sed 's/^c.*/c,1,3,5,10/' plan.csv >other.csv
tap_check "a plan of another instance" refuses "other.csv:2" verify small.csv other.csv
grep -v '^c' plan.csv >missing.csv
tap_check "a plan that lacks a buffer" refuses "'c'" verify small.csv missing.csv
tap_check "an instance where a plan is wanted" refuses "offset" verify small.csv small.csv
tap_check "a plan where an instance is wanted" refuses "verify" lifetimes plan.csv

if command -v gnuplot >/dev/null; then
    "$arenabench" solve small.csv --solver naive >other.csv 2>/dev/null
    "$arenabench" draw small.csv plan.csv other.csv >two.svg
    tap_check "draw two plans side by side" tap_same \
        "$(grep -o 'small.csv, [a-z.]*csv\|[0-9]* buffers, arena plan, peak / load = [0-9.]*' two.svg | tr '\n' ' ')" \
        "small.csv, plan.csv 3 buffers, arena plan, peak / load = 1.0000 small.csv, other.csv 3 buffers, arena plan, peak / load = 1.7143 "
    tap_check "draw three plans" refuses "too many arguments" draw small.csv plan.csv plan.csv plan.csv
    tap_check "draw into a folder that is not there" refuses "No such file" \
        draw small.csv plan.csv --output none/plan.svg
    tap_check "draw of what is no plan" refuses "no column 'offset'" \
        draw small.csv small.csv --output none.svg
    tap_check "leaves no picture" test ! -e none.svg
else
    tap_skip "there is no gnuplot"
fi

echo "id,lower,upper,size" >empty.csv
tap_check "a header alone is an empty instance" prints "id,lower,upper,size" lifetimes empty.csv
tap_check "whose bounds are 0" prints "empty.csv,0,0,,0,0,0,0,,,not applicable" bounds empty.csv --format csv
: >nothing.csv
tap_check "an empty file is an error" refuses "nothing.csv" lifetimes nothing.csv

tap_check "the columns of bounds" prints \
    "name,load,width,W,max_size,intermediates,sum,width_bound,w1_bound,w2_bound,applicable" \
    bounds small.csv --format csv
tap_check "bounds of a file" prints "small.csv,14,2,,10,3,24,20,,,not applicable" bounds small.csv --format csv
tap_check "W of ResNet is 2" sh -c \
    '"$0" bounds resnet18 --format csv | tail -1 | cut -d, -f4,11 | grep -qx "2,yes"' "$arenabench"
# The largest tensor is 64 channels of 112 x 112 floats.
tap_check "bounds of GoogLeNet hold together" sh -c \
    '"$0" bounds googlenet --format csv | awk -F, "NR == 2 {
        good = \$3 <= \$4 + 1 && \$5 == 112 * 112 * 64 * 4 && \$8 == \$3 * \$5 &&
               \$9 == (\$4 + 1) * \$5 && \$10 == 2 * \$4 * \$5 && \$11 == \"yes\" }
        END { exit !good }"' "$arenabench"
tap_check "several instances give several rows" sh -c \
    '[ "$("$0" bounds resnet18 vgg16 small.csv --format csv | wc -l)" = 4 ]' "$arenabench"

tap_done
