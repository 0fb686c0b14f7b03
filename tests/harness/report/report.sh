#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands report and draw: figures, tables and the page from a store that
# tests/harness/report/make_results fills.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

arenabench=${top_builddir:?}/arenabench
make_results=$top_builddir/tests/harness/report/make_results
cd "$tap_scratch" || exit 99

# Every file of a report but the store and PDF files, which carry their date.
sums()
{
    (cd "$1" && find . -type f ! -name 'results.db*' ! -name lock -exec cksum {} + |
        sort -k 3)
}

# Files that a report leaves behind only when it is interrupted.
leftovers()
{
    find "$1" -name '*.new' -o -name '.draw-*'
}

all_there()
{
    for file in report.html figures/gap.csv figures/networks.csv figures/networks-bounds.csv \
        figures/bound.csv figures/formulations.csv figures/gap.txt \
        tables/summary.txt tables/summary.csv tables/summary.tex tables/numbers.tex "$@"; do
        [ -s "$dir/$file" ] || {
            echo "$dir/$file is missing"
            return 1
        }
    done
}

# The lines of a file that hold a text.
holds()
{
    grep -F -e "$2" "$1" || {
        echo "not in $1: $2"
        return 1
    }
}

holds_not()
{
    ! grep -F -e "$2" "$1"
}

# Without gnuplot first: this can be tried everywhere.
dir=bare
mkdir none
"$make_results" usual bare || exit 99
tap_check "report without gnuplot does the rest" tap_exits 0 env PATH="$PWD/none" "$arenabench" report bare
tap_check "... and says so" holds err "gnuplot is not installed"
tap_check "... data, captions, tables and the page are there" all_there
tap_check "... but no picture" tap_nothing find bare -name '*.svg'
tap_check "the summary is printed" holds out "gap median pct"
# Worked out by hand from the table in sample_results.c: two proven instances,
# gaps 0 and 20 %.
tap_check "the gap of greedy-by-size" holds bare/tables/summary.csv \
    "gap,greedy-by-size,3,1,0,0,0,0,2,10.00,10.00,0.00,20.00,20.00,"
tap_check "invalid runs are counted and left out" holds bare/tables/summary.csv \
    "gap,broken,1,0,0,0,0,1,0,"
tap_check "an object plan is in no statistic" holds_not bare/tables/summary.csv "shared"
tap_check "the distribution of gaps" tap_same \
    "$(grep hard,greedy-by-size bare/figures/gap.csv | cut -d, -f 4-6 | tr '\n' ' ')" \
    "0,0,1 0.19999999999999996,1,1 0.5,1,1 "
tap_check "a planner without a plan stays at 0" tap_same "$(grep open,naive bare/figures/gap.csv | cut -d, -f 1,2,4-)" \
    "open,naive,0,0,1,0"
tap_check "a planner with invalid plans only is not drawn" holds_not bare/figures/gap.csv "broken"
tap_check "the caption counts" holds bare/figures/gap.txt \
    "Experiment gap, quick size: 3 instances, 1 of them a real input, 2 real inputs left out, 11 runs, 1 invalid and left out; limits 10 s, 1024 MiB; commit 0123456789ab."
tap_check "macros have letters only" holds bare/tables/numbers.tex \
    '\newcommand{\arenaGapGreedyBySizeGapMean}{10.00}'
tap_check "the page says what it is" tap_same "$(sed -n '1p;/<style>/q;/charset\|<title>/p' bare/report.html)" \
    '<!DOCTYPE html>
<meta charset="utf-8">
<title>arenabench: results</title>'
tap_check "names are escaped in the page" holds_not bare/report.html 'net<b>'
tap_check "... and still there" holds bare/report.html 'net&lt;b&gt;&amp;&quot;q&quot;'
tap_check "provenance is in the page" holds bare/report.html 'cc &lt;1&gt; &amp; &quot;2&quot;'
# shellcheck disable=SC2016 # dollars of LaTeX
tap_check "names are escaped in LaTeX" holds bare/tables/networks.tex 'net$<$b$>$\&"q"'
tap_check "nothing is left behind" tap_nothing leftovers bare

# Where rows come from: their own build and machine, not the folder's.
tap_check "one build and machine: no more than the commit" holds_not bare/figures/gap.txt "machine"
tap_check "... at the head of the page too" holds bare/report.html \
    '<p class="caption">Runs of commit 0123456789ab. '
tap_check "... with only pictures left out" holds bare/report.html \
    '<p class="missing">Left out: pictures of figures (gnuplot is not installed).</p>'
tap_check "... and nothing about whose it is" holds_not bare/report.html '<th>of</th>'
"$make_results" builds builds || exit 99
tap_check "a report of two builds" tap_exits 0 env PATH="$PWD/none" "$arenabench" report builds
tap_check "... a caption says how many, and that one is dirty" holds builds/figures/gap.txt \
    "; 2 builds, 1 machine, 1 build -dirty, 2"
tap_check "... where its rows are of both" holds builds/figures/networks.txt \
    "1024 MiB; commit fedcba987654-dirty."
tap_check "... a table of all rows says so" holds builds/tables/summary.txt "2 builds, 1 machine"
tap_check "... and the page" holds builds/report.html 'Runs of 2 builds, 1 machine, 1 build -dirty, '
tap_check "... and whose value it is" holds builds/report.html \
    '<td>fedcba9876543210-dirty</td><td>build 2</td>'
tap_check "... and what they have in common" holds builds/report.html '<td>P1</td><td></td>'
tap_check "... a table counts the runs of each" tap_same \
    "$(sed 's/,20[-0-9T:Z]*,20[-0-9T:Z]*$//' builds/tables/builds.csv | tr '\n' ' ')" \
    "build,built_from,machine,processor,sweeps,runs,first,last 1,commit 0123456789ab,1,P1,1,10 2,commit fedcba987654-dirty,1,P1,2,9 "
tap_check "... which is printed" holds out "commit fedcba987654-dirty"
tap_check "... and so is what the one had to do without, and this machine" holds out \
    "Left out: a peer (lib<1> was not there); pictures of figures (gnuplot is not installed)."
tap_check "... at the head of the page too" holds builds/report.html \
    '<p class="missing">Left out: a peer (lib&lt;1&gt; was not there); pictures of figures'
tap_check "... times are of one machine" holds_not builds/figures/gap.txt "Times of"
"$make_results" machines machines || exit 99
tap_check "a report of two machines" tap_exits 0 env PATH="$PWD/none" "$arenabench" report machines
tap_check "... a caption warns" holds machines/figures/gap.txt \
    "; 2 builds, 2 machines, 1 build -dirty, 2"
tap_check "... of times" holds machines/figures/gap.txt ". Times of different machines do not compare."
tap_check "... where there are both" holds_not machines/figures/networks.txt "machine"

"$make_results" skipped skipped || exit 99
tap_check "a store of skipped rows has a report" tap_exits 0 "$arenabench" report skipped
tap_check "... that says why there is no figure" holds err "figure gap is skipped"
tap_check "... and what was skipped" holds skipped/report.html 'no &lt;data&gt; &amp; no &quot;set&quot;'

"$make_results" wrong wrong || exit 99
tap_check "a bound that contradicts a plan fails the report" tap_exits 1 "$arenabench" report --no-figures wrong
tap_check "... naming the instance" holds err 'uniform:seed=2: the lower bound 111 is above a verified peak of 110'
tap_check "... after the page is made" test -s wrong/report.html

tap_check "no folder is bad input" tap_exits 2 "$arenabench" report nowhere
tap_check "a folder without results is bad input" tap_exits 2 "$arenabench" report none
tap_check "... and stays empty" tap_nothing ls -A none
mkdir taken && cp bare/results.db taken && : >taken/figures || exit 99
tap_check "a file where the figures should be is bad input" tap_exits 2 "$arenabench" report taken
tap_check "... named" holds err "taken/figures: Not a directory"
mkdir -p folder/tables/summary.csv && cp bare/results.db folder || exit 99
tap_check "a folder where a table should be fails the report" tap_exits 1 "$arenabench" report --no-figures folder
tap_check "... and is named" holds err "table summary: folder/tables/summary.csv: Is a directory"

# Units of 2 bytes; of each piece how much later than the one before it begins (twice, and 1 more
# where that is earlier), its steps (twice, and 1 more where another one follows), its size and
# place: 0 5 4 0, 8 5 4 0, 4 5 1 1, 4 2 4 0 of a, 13 4 4 0 of b, as letters from A.
printf 'id,lower,upper,size,gaps\na,0,9,8,2-4 6-8@2:4\nb,2,4,8,\n' >gaps.csv
"$arenabench" sweep gaps.csv --solvers greedy-by-size --output gaps >/dev/null 2>&1 &&
    "$arenabench" report --no-figures gaps >/dev/null 2>&1 || exit 99
# What is packed in PAGE, by gzip, which takes zlib's stream behind a head of its own and then misses
# its own end.
runs_of()
{
    sed -n 's/.*id="runs">\([^<]*\).*/\1/p' "$1" | base64 -d | tail -c +3 >stream
    { printf '\037\213\010\000\000\000\000\000\000\003' && cat stream; } | gzip -dc 2>/dev/null
}
runs_of gaps/report.html >gaps.json
tap_check "the page has the pieces of buffers" holds gaps.json '"CAFEAIFEAEFBBECEANEEA"'
tap_check "... and numbers of tasks as differences" holds gaps.json '"task":[1]'
# a, b and c on each other; b on c, which stands behind it; b where a is, at 5, apart in time from it.
printf 'id,lower,upper,size\na,0,4,10\nb,2,6,20\nc,5,9,30\n' >three.csv
printf 'id,lower,upper,size\na,0,2,10\nb,3,5,10\n' >two.csv
cat >five.awk <<'END'
BEGIN { FS = OFS = "," }
NR == 1 { print "id,offset"; next }
{ print $1, 5 + 40 * ($1 == "b" && $4 == 20) + 60 * ($1 == "c") }
END
"$arenabench" sweep three.csv two.csv --output places --solvers 'naive,greedy-by-size,exec:five=awk -f five.awk' \
    >/dev/null 2>&1 && "$arenabench" report --no-figures places >/dev/null 2>&1 || exit 99
runs_of places/report.html | tr -d '\n' >places.json
for plan in KACC eAEA FBBD FBBBJC; do
    tap_check "a plan is where buffers lie: $plan" holds places.json "\"$plan\""
done
tap_check "an unknown figure is bad usage" tap_exits 2 "$arenabench" report --figures gap,netwrks bare
tap_check "... with a suggestion" holds err "did you mean 'networks'?"

# An experiment of one's own: no list of figures, no full size, two programs.
cat "$top_srcdir/tests/support/stack.awk" >stack.awk
cat >mine.cfg <<'END'
name = "mine";
title = "My planners";
quick: {
    solvers = ("greedy-by-size", "exec:one=awk -f stack.awk", "exec:two=awk -v n=2 -f stack.awk");
    workloads = ("uniform:n=6,seed={1..3}", "squeezenet1_1");
    time_limit_s = 10;
    budget_s = 10;
};
END
tap_check "an experiment of one's own" tap_exits 0 "$arenabench" sweep mine.cfg --output own
tap_check "... in its full size, which it does not have" tap_exits 2 "$arenabench" sweep mine.cfg --full
tap_check "... is refused by name" holds err "experiment mine has no full size"
tap_check "... has a report" tap_exits 0 "$arenabench" report own
runs_of own/report.html | tr -d '\n' >own.json
tap_check "... whose instances are rows with commas between" \
    grep -qE '"instance":\{"columns":\[[^]]*\],"rows":\[(\[[^][]*\[[^][]*\]\],){3}\[[^][]*\[[^][]*\]\]\]' own.json
own_there()
{
    for figure in gap memory time field field-profile anytime; do
        [ -s "own/figures/mine-$figure.csv" ] || {
            echo "no $figure"
            return 1
        }
    done
    [ -s own/tables/mine-instances.tex ]
}
tap_check "... with every figure of its shape, and a table of its instances" own_there
tap_check "... under its own name" holds own/report.html \
    '<details class="figure" id="figure-mine-gap"><summary>My planners: Gap of each planner</summary>'
tap_check "... and with nothing that it never asked for" holds_not own/report.html "Not made"
tap_check "... and figures have room for them before others, however bad they are" tap_same \
    "$(sed 1d own/figures/mine-memory.csv | awk -F, '{ print $3, $2 }' | sort -u | tr '\n' ' ')" \
    "1 one 2 two 3 greedy-by-size "
tap_check "... its programs stand apart" tap_same \
    "$(sed 1d own/figures/mine-memory.csv | cut -d, -f2 | sort -u | tr '\n' ' ')" \
    "greedy-by-size one two "
"$arenabench" sweep three.csv --output twins \
    --solvers 'tflm,exec:tflm=awk -f five.awk,exec:own=awk -f five.awk' >/dev/null 2>&1
"$arenabench" report twins --no-figures >/dev/null 2>&1
tap_check "... by their names, unless another planner has that" tap_same \
    "$(sed 1d twins/tables/summary.csv | cut -d, -f2 | sort | tr '\n' ' ')" "exec:tflm own tflm "
# Stacked: what the sizes sum to.
tap_check "... with the peaks of what they did" tap_same \
    "$(awk -F, '$2 == "one" && $1 == 1 { print $5 }' own/figures/mine-memory.csv)" \
    "$("$arenabench" compare uniform:n=6 --solvers naive --format csv |
        awk -F, 'NR == 2 { printf "%.17g", $3 / $5 }')"
tap_check "... every planner on every instance" tap_same \
    "$(awk -F, 'NR > 1 { print $1, $2, $3 }' own/tables/mine-matrix.csv | sed -n '/ uniform:n=6 /p;/squeeze/p' |
        sort)" "$("$arenabench" compare uniform:n=6 --solvers 'greedy-by-size,exec:one=awk -f stack.awk,exec:two=awk -v n=2 -f stack.awk,branch-and-bound' \
            --format csv | awk -F, '{ sub(/^exec:/, "") } NR > 1 && $1 != "branch-and-bound" {
                gap = 100 * ($3 / $4 - 1); printf (gap == 0 ? "%s uniform:n=6 0\n" : "%s uniform:n=6 %.2f\n"), $1, gap }
            END { print "greedy-by-size squeezenet1_1 0\none squeezenet1_1 341.28\ntwo squeezenet1_1 341.28" }' | sort)"
tap_check "... and who found the best peak" tap_same \
    "$(awk -F, 'NR > 1 { print $(NF - 2), $NF }' own/tables/mine-instances.csv | sort | uniq -c |
        awk '{ $1 = $1 } 1')" "3 greedy-by-size 1 of 3
1 greedy-by-size 3 of 3"

# Each seed of a solver that draws is a run of its own.
tap_check "a solver with seeds" tap_exits 0 "$arenabench" sweep 'uniform:n=20,seed={1..3}' \
    --solvers greedy-by-size,greedy-by-size:ties=shuffle --seeds 3 --output seeds
tap_check "... has a report" tap_exits 0 "$arenabench" report seeds
tap_check "... its share is of instances and seeds" tap_same \
    "$(awk -F, 'NR > 1 && $5 > most[$2] { most[$2] = $5 } END { for (i in most) print i, most[i] }' \
        seeds/figures/adhoc-field-profile.csv | sort)" "greedy-by-size 1
greedy-by-size:ties=shuffle 1"

# Plans come back out.
tap_check "plans lists what a sweep stored" tap_exits 0 "$arenabench" plans own --format csv
tap_check "... all of it" tap_same "$(sed 1d out | wc -l)" 12
tap_check "... of an experiment, a workload and a solver" tap_exits 0 "$arenabench" plans own mine \
    squeezenet1_1 'exec:t*' --format csv
tap_check "... one" tap_same "$(sed 1d out | cut -d, -f2-8)" \
    "mine,squeezenet1_1,exec:two,1,1,feasible,27837504"
task=$(sed 1d out | cut -d, -f1)
tap_check "... as a file" tap_exits 0 "$arenabench" plans own --task "$task" --output stored.csv
tap_check "... that verify takes" tap_exits 0 "$arenabench" verify squeezenet1_1 stored.csv
tap_check "... the same as the program's" tap_same "$(cut -d, -f5 stored.csv | cksum)" \
    "$("$arenabench" solve squeezenet1_1 --solver 'exec:awk -f stack.awk' 2>/dev/null |
        cut -d, -f5 | cksum)"
tap_check "... nothing of that" tap_exits 0 "$arenabench" plans own nobody
tap_check "... says so" holds err "none of the 12 plans in own is of that; a part of a name is"
tap_check "... no such task" tap_exits 2 "$arenabench" plans own --task 999
tap_check "... is named" holds err "there is no task 999; see 'arenabench plans own'"
tap_check "... no number" tap_exits 2 "$arenabench" plans own --task one
tap_check "... no folder of results" tap_exits 2 "$arenabench" plans nowhere
cat >changed.csv <<'END'
id,lower,upper,size
a,0,2,5
b,1,3,5
END
cp changed.csv kept.csv
tap_check "a plan of a file" tap_exits 0 "$arenabench" sweep changed.csv --solvers naive,exec:false --jobs 1 \
    --name file
tap_check "... comes out" tap_exits 0 "$arenabench" plans results/file --task 1
sed 's/^b,1,3,5/b,1,3,6/' kept.csv >changed.csv
tap_check "... not when the file is another" tap_exits 2 "$arenabench" plans results/file --task 1
tap_check "... which is said" holds err "changed.csv is no longer the instance that it was then"
tap_check "... a task without a plan has none" tap_exits 2 "$arenabench" plans results/file --task 2
tap_check "... which is said" holds err "task 2 ended without a plan (crashed)"
# As the manual page says: readable without this program.
offsets=$(cut -d, -f5 stored.csv | sed 1d | tr '\n' ' ')
page_block()
{
    sed -n '/^\.SH "STORED PLANS"/,/^\.SH "[^S]/p' "$top_srcdir/doc/arenabench.1" |
        sed -n "/^\.\\\\\" $1\$/,/^\.fi/p" | grep -v '^\.' | sed 's/\\\\/\\/g; s/\\-/-/g; s/\\(aq/'"'"'/g'
}
if command -v python3 >/dev/null && python3 -c 'import sqlite3' 2>/dev/null; then
    page_block python | sed "s#DIR#own#; s/TASK/$task/" >read.py
    tap_check "Python reads a stored plan as the manual page says" tap_same \
        "$(python3 read.py | tr -d '[],')" "${offsets% }"
else
    tap_skip "python3 is not here"
fi

if command -v gnuplot >/dev/null; then
    tap_check "draw a stored plan" tap_exits 0 "$arenabench" draw own "$task" --output stored.svg
    tap_check "... the same picture as of its file" tap_exits 0 "$arenabench" draw squeezenet1_1 \
        stored.csv --output file.svg
    grep -v '<text>squeezenet1_1, ' stored.svg >stored.rest
    grep -v '<text>squeezenet1_1, ' file.svg >file.rest
    tap_check "... byte by byte, but for what they are called" cmp stored.rest file.rest
    tap_check "... which is the file's name, or the planner's" tap_same \
        "$(grep -h -o 'squeezenet1_1, [a-z:.-]*' file.svg stored.svg | tr '\n' ' ')" \
        "squeezenet1_1, stored.csv squeezenet1_1, exec:two "
    tap_check "... of a task that is not there" tap_exits 2 "$arenabench" draw own 999
    dir="it's \"odd\" \$(x) %d"
    mkdir "$dir" && cp bare/results.db "$dir" || exit 99
    tap_check "report draws in a folder of any name" tap_exits 0 "$arenabench" report "$dir"
    tap_check "... without a message from gnuplot" holds_not err gnuplot
    tap_check "... every figure in three formats" all_there figures/gap.pdf figures/gap.png figures/gap.svg \
        figures/networks.svg figures/bound.svg figures/formulations.svg figures/formulations.pdf
    sums "$dir" >first
    tap_check "report again" tap_exits 0 "$arenabench" report "$dir"
    sums "$dir" >second
    tap_check "... gives the same data, pictures, tables and page" cmp first second
    tap_check "... and leaves nothing behind" tap_nothing leftovers "$dir"
    mkdir one && cp bare/results.db one || exit 99
    tap_check "one figure alone" tap_exits 0 "$arenabench" report --figures bound one
    tap_check "... and nothing else" tap_same "$(find one -type f | sort | tr '\n' ' ')" \
        "one/figures/bound.csv one/figures/bound.pdf one/figures/bound.png one/figures/bound.svg one/figures/bound.txt one/results.db "

    mkdir broken && printf '#!/bin/sh\necho "no memory" >&2\nexit 1\n' >broken/gnuplot
    chmod +x broken/gnuplot
    mkdir two && cp bare/results.db two || exit 99
    tap_check "a gnuplot that fails, fails the report" tap_exits 1 env PATH="$PWD/broken:$PATH" "$arenabench" report two
    tap_check "... with its message" holds err "gnuplot failed on gap.gp: no memory"
    tap_check "... and without pictures, but with all else" tap_same \
        "$(find two -type f | sed 's/.*\.//' | sort -u | tr '\n' ' ')" "csv db html tex txt "
    tap_check "... which the page says" holds two/report.html "Not drawn: gnuplot failed on gap.gp: no memory"
    # One figure fails: it costs that figure alone.
    cat >broken/gnuplot <<END
#!/bin/sh
case \$* in *gap.gp*) echo "no memory" >&2; exit 1 ;; esac
PATH=\${PATH#*:} exec gnuplot "\$@"
END
    "$arenabench" report two >out 2>err
    find two/figures -type f ! -name 'gap.pdf' ! -name 'gap.png' ! -name 'gap.svg' | sort >wanted
    tap_check "a figure that fails, fails the report" tap_exits 1 env PATH="$PWD/broken:$PATH" \
        "$arenabench" report two
    tap_check "... and is named" tap_same "$(grep failed err)" \
        "arenabench: report: figure gap failed: gnuplot failed on gap.gp: no memory"
    tap_check "... with its data, without pictures of other data, beside all others" tap_same \
        "$(find two/figures -type f | sort)" "$(cat wanted)"
    tap_check "... and on the page" tap_same "$(grep -c 'Not drawn' two/report.html)" 1

    printf 'id,lower,upper,size,offset\na,0,2,10,0\nb,1,3,5,10\n' >plan.csv
    printf 'id,lower,upper,size\na,0,2,10\nb,1,3,5\n' >instance.csv
    tap_check "draw writes SVG" tap_exits 0 "$arenabench" draw instance.csv plan.csv
    tap_check "... on standard output" holds out "</svg>"
    for format in pdf png svg; do
        tap_check "draw --output picture.$format" tap_exits 0 "$arenabench" draw instance.csv plan.csv \
            --output "it's a picture.$format"
        tap_check "... is there" test -s "it's a picture.$format"
    done
    printf 'id,offset\na,0\nb,0\n' >gaps-plan.csv
    tap_check "draw buffers that interlock" tap_exits 0 "$arenabench" draw gaps.csv gaps-plan.csv \
        --output gaps.png
    "$arenabench" solve resnet18:inplace=nnc,alias=on --solver naive >chains.csv 2>err
    tap_check "draw chains of overwrites" tap_exits 0 "$arenabench" draw \
        resnet18:inplace=nnc,alias=on chains.csv --output chains.svg
    printf 'id,lower,upper,size\n' >empty.csv
    printf 'id,offset\n' >no-plan.csv
    tap_check "draw an empty plan" tap_exits 0 "$arenabench" draw empty.csv no-plan.csv --output e.svg
else
    tap_skip "gnuplot is not installed"
fi
tap_check "draw: other endings are bad usage" tap_exits 2 "$arenabench" draw resnet18 plan.csv --output x.jpg
tap_check "draw: a plan that is not there is bad input" tap_exits 2 "$arenabench" draw resnet18 nowhere.csv
tap_done
