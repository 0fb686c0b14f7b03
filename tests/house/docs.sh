#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The documents agree with the program: options in the manual page, commands in
# README.md and the guides in doc/ (which are run), files that the documents name.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
[ -z "$(tap_setting SAN_FLAGS)" ] || tap_skip_all "built with sanitizers: the commands of the documents take their time"
arenabench=${top_builddir:?}/arenabench
page=$top_srcdir/doc/arenabench.1
guides=$(cd "$top_srcdir" && echo doc/*.md)

commands=$("$arenabench" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')

# The options that `COMMAND --help` lists.
helped()
{
    "$arenabench" "$1" --help | sed -n '/^Options:/,$s/^  --\([a-z-]*\).*/\1/p' |
        grep -vx help | sort
}

# The options in the section of COMMAND.
paged()
{
    sed -n "/^\.SS $1\$/,/^\.S[SH] /p" "$page" | sed '1!{/^\.S[SH] /d;}' |
        sed -n 's/\\-/-/g; s/^\.BI* --\([a-z-]*\).*/\1/p' | sort
}

same_options()
{
    helped "$1" >"$tap_scratch/helped"
    paged "$1" >"$tap_scratch/paged"
    diff "$tap_scratch/helped" "$tap_scratch/paged"
}

# The fuzz target of the command line begins with all options of COMMAND, in a call that is taken.
fuzzed_options()
{
    corpus=$top_srcdir/tests/fuzz/corpus/command_line/options-$1
    helped "$1" >"$tap_scratch/helped"
    tr '\0' '\n' <"$corpus" | sed -n 's/^--\([a-z-]*\).*/\1/p' | sort >"$tap_scratch/fuzzed"
    # shellcheck disable=SC2046 # words
    diff "$tap_scratch/helped" "$tap_scratch/fuzzed" &&
        "$arenabench" $(tr '\0' ' ' <"$corpus") --help | grep -q "^Usage: arenabench $1 "
}

documented_commands()
{
    sed -n 's/^\.SS //p' "$page" | tr '\n' ' '
}

# Lines of help that say a default twice: the options' table adds it by itself.
repeated_defaults()
{
    for command in $commands; do
        "$arenabench" "$command" --help
    done | grep ') (default'
}

# The lines of the blocks of commands in README.md and the guides, each once: a reader begins with README.md.
blocks()
{
    for guide in README.md $guides; do
        sed -n '/^```sh$/,/^```$/p' "$top_srcdir/$guide"
    done | grep -v '^```' | sed 's/ *#.*//' | awk '!seen[$0]++'
}

# Commands that the table in the guide names.
in_table()
{
    sed -n '/^## The commands/,/^## What/s/^| `\([a-z]*\)[ `].*/\1/p' "$top_srcdir/doc/planners.md" | tr '\n' ' '
}

# In the folder of the README's reader, who has ./arenabench and the data.  Searches that go on
# until a limit get a fifth of a second instead of ten, kernels one round.  One report is drawn, the
# README's, for the page; of the others the command is looked at here, and the pictures by
# tests/harness/report.
example()
{
    run=$1
    tools=$PATH
    case $1 in
        *--time-limit*) ;;
        *'arenabench compare '* | *'arenabench fit '*' --moves'*) run="$1 --time-limit 0.2" ;;
        *'arenabench conv '*) run="$1 --rounds 1" ;;
        *'arenabench report results/adhoc') tools=$tap_scratch/page:$PATH ;;
        *'arenabench report '*) tools=$tap_scratch/undrawn:$PATH ;;
    esac
    (cd "$tap_scratch/reader" && PATH=$tools sh -c "$run") >"$tap_scratch/example" 2>&1 || {
        echo "status $?: $1"
        cat "$tap_scratch/example"
        return 1
    }
}

# Files that the documents show, or name in backquotes, and that are not there.
absent_files()
{
    for document in README.md $guides; do
        grep -o '](\([^):]*\))' "$top_srcdir/$document" | tr -d ']()' | while read -r file; do
            [ -e "$top_srcdir/$(dirname "$document")/$file" ] || echo "$document shows $file"
        done
    done
    for document in README.md $guides HACKING.md PROGRAMS.md REPRODUCED.md; do
        grep -o '`[A-Za-z_.-]*/[A-Za-z0-9_./-]*`' "$top_srcdir/$document" | tr -d '`' | sort -u |
            while read -r file; do
                case $file in
                    .ci/*) [ -e "$top_srcdir/.git" ] || continue ;; # not in a release
                    *NAME* | */my-* | mutants/ | analysis/ | results/ | results/quick* | results/full* | results/adhoc* | data/ | ./*) continue ;;
                esac
                [ -e "$top_srcdir/$file" ] || echo "$document names $file"
            done
    done
}

# What REPRODUCED.md says can be run or seen, and can't.
absent_results()
{
    claims=$top_srcdir/REPRODUCED.md
    grep -o '`./run_sweep [a-z-]*`' "$claims" | tr -d '`' | while read -r _ name; do
        [ -e "$top_srcdir/experiments/$name.cfg" ] || echo "no experiment $name"
    done
    for kind in figure table; do
        grep -o "${kind}s* \`[a-z-]*\`\( and \`[a-z-]*\`\)*" "$claims" | grep -o '`[a-z-]*`' |
            tr -d '`' | sort -u | while read -r name; do
                [ -e "$top_srcdir/plots/$name.gp" ] ||
                    [ -e "$top_srcdir/plots/tables/$name.sql" ] || echo "no $kind $name"
            done
    done
}

# The planning commands of REPRODUCED.md; kernels take their time.
reproducing()
{
    grep -o '`\./arenabench [^`]*`' "$top_srcdir/REPRODUCED.md" | tr -d '`' |
        grep -v '^./arenabench conv ' | sort -u
}

tap_check "there are commands" test "$(echo "$commands" | wc -w)" -ge 8
tap_check "the manual page has a section a command" tap_same "$(documented_commands)" \
    "$(echo "$commands" | tr '\n' ' ')"
for command in $commands; do
    tap_check "options of $command: --help and the manual page agree" same_options "$command"
    tap_check "... and fuzzing begins with them" fuzzed_options "$command"
done
tap_check "the manual page has the tables of list" tap_same \
    "$(sed -n '/^\.SS list$/,/^\.PP/s/^\.IR //p' "$page" | tr -d ' ')" \
    "$("$arenabench" list --help | sed -n '1s/.* //p')"
tap_check "no help says a default twice" tap_nothing repeated_defaults
tap_check "doc/planners.md has a row a command" tap_same "$(in_table)" "$(echo "$commands" | tr '\n' ' ')"
tap_check "files that the documents name are there" tap_nothing absent_files
tap_check "experiments, figures and tables that REPRODUCED.md names are there" tap_nothing \
    absent_results

# The members of the objects that a command prints, and those that the manual page says.
printed_members()
{
    "$arenabench" "$@" --format json 2>/dev/null | head -n 1 | grep -o '"[A-Za-z0-9_]*": ' |
        tr -d '": ' | tr '\n' ' '
}
paged_members()
{
    sed -n '/^\.SH "OUTPUT FOR PROGRAMS"/,/^\.SH "EXIT/p' "$page" | sed 's/\\-/-/g' |
        sed -n "/^\.B $1\$/{n;s/,//g;p;}" | sed 's/$/ /'
}
# members NAME COMMAND...: of the objects of COMMAND, which stands as NAME in the page.
members()
{
    name=$1
    shift
    tap_check "members of $name as JSON: as the manual page says" \
        tap_same "$(printed_members "$@")" "$(paged_members "$name")"
}
members compare compare uniform:n=3 --solvers naive
members "compare --capacity" compare uniform:n=3 --solvers naive --capacity 1KiB
members agree agree naive greedy-by-size 3
members "solve --statistics" solve uniform:n=9 --solver branch-and-bound --statistics \
    --output "$tap_scratch/plan.csv"
members bounds bounds uniform:n=3
members fit fit uniform:n=3 --memory fast=1KiB --memory slow
members "fit --capacity-curve" fit uniform:n=3 --memory fast --memory slow --capacity-curve 2
members schedule schedule resnet18
members "schedule --steps" schedule resnet18 --steps
"$arenabench" schedule resnet18 --steps --format csv |
    awk -F, 'NR == 1 { print "operator,time_s"; next } { print $2 ",1" }' >"$tap_scratch/times.csv"
members "schedule --times" schedule resnet18 --times "$tap_scratch/times.csv"
members loops loops lstm_lm
members "loops --views" loops lstm_lm --views
members sweep sweep uniform:n=3 --solvers naive --output "$tap_scratch/swept"
members "sweep --dry-run" sweep uniform:n=3 --solvers naive --dry-run
members merge merge "$tap_scratch/merged" "$tap_scratch/swept"
members plans plans "$tap_scratch/swept"
"$arenabench" sweep uniform:n=3 --solvers naive,tflm --output "$tap_scratch/more" >/dev/null 2>&1
members "diff --table times" diff "$tap_scratch/swept" "$tap_scratch/more" --table times
members diff diff "$tap_scratch/swept" "$tap_scratch/more"
members conv conv c=4,h=5,w=5,k=4,r=1,s=1 --isa generic
for table in $("$arenabench" list --help | sed -n '1s/.* //p' | tr '|' ' '); do
    members "list $table" list "$table"
done
members "list networks --long" list networks --long
members "list readers --long" list readers --long

mkdir "$tap_scratch/reader"
tap_draws_only "$tap_scratch/undrawn" "*\"format='tex'\"*"
tap_draws_only "$tap_scratch/page" "*\"format='svg'\"*"
ln -s "$arenabench" "$tap_scratch/reader/arenabench"
ln -s "$(cd "$top_srcdir" && pwd)/examples" "$tap_scratch/reader/examples"
sed -n '/^```awk$/,/^```$/p' "$top_srcdir/README.md" | grep -v '^```' \
    >"$tap_scratch/reader/stack.awk"
sed -n '/^```cfg$/,/^```$/p' "$top_srcdir/doc/experiments.md" | grep -v '^```' \
    >"$tap_scratch/reader/mine.cfg"
blocks | grep '^\./arenabench ' >"$tap_scratch/examples"
tap_check "README.md has at most 150 lines" test "$(wc -l <"$top_srcdir/README.md")" -le 150
tap_check "the guides have examples" test "$(wc -l <"$tap_scratch/examples")" -ge 30
while read -r line; do
    case $line in
        *data:*)
            [ -n "$(tap_data)" ] || {
                tap_skip "no real inputs: run ./fetch_data or set ARENABENCH_DATA"
                continue
            }
            ;;
        *'arenabench draw '*)
            command -v gnuplot >/dev/null || {
                tap_skip "gnuplot is not here"
                continue
            }
            ;;
    esac
    tap_check "guides: $line" example "$line"
done <"$tap_scratch/examples"
sed -n '/^\.SH EXAMPLES/,/^\.SH "EXIT/p' "$page" | grep '^arenabench ' |
    sed "s/\\\\-/-/g; s/\\\\(aq/'/g; s#\(^\|&& \)arenabench #\1./arenabench #g" >"$tap_scratch/questions"
tap_check "the manual page answers ten questions" test "$(wc -l <"$tap_scratch/questions")" -ge 10
# What a guide asks as well has been run.
grep -vxF -f "$tap_scratch/examples" "$tap_scratch/questions" >"$tap_scratch/others"
while read -r line; do
    tap_check "arenabench.1: $line" example "$line"
done <"$tap_scratch/others"
reproducing >"$tap_scratch/reproducing"
tap_check "REPRODUCED.md has commands" test "$(wc -l <"$tap_scratch/reproducing")" -ge 10
# The guides' and the page's are of every kind that these are.
if ! tap_whole; then
    tap_skip "make check-all runs the commands of REPRODUCED.md"
else
    while read -r line; do
        tap_check "REPRODUCED.md: $line" example "$line"
    done <"$tap_scratch/reproducing"
fi
tap_done
