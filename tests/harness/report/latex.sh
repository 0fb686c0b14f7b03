#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables and figures of a report in an article of two columns: each compiles, with its caption and
# label, and nothing is wider than its column or longer than its page.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_whole_tier_only "articles"
arenabench=${top_builddir:?}/arenabench
cd "$tap_scratch" || exit 99

# LaTeX needs two runs for references.
latex=
if command -v pdflatex >/dev/null && kpsewhich booktabs.sty >/dev/null &&
    kpsewhich geometry.sty >/dev/null; then
    latex=pdflatex
elif command -v tectonic >/dev/null && tectonic --help >/dev/null 2>&1; then
    latex=tectonic
fi
[ -n "$latex" ] || tap_skip_all "LaTeX (pdflatex with booktabs and geometry, or tectonic) is not here"

# Every planner, long names, more rows than a page has; one with all that is special in LaTeX.
cp "$top_srcdir/tests/support/stack.awk" .
printf '%s\n' '#!/bin/sh' 'awk -f stack.awk' >50%_of
chmod +x 50%_of
PATH=$PWD:$PATH
cat >special.cfg <<'END'
name = "gap"; title = "50 % & more_of #1"; memory_limit_mib = 1024;
figures = ["gap", "time", "memory", "field-profile"];
quick: { workloads = ("uniform:n=12,seed={1..4}", "resnet18:fuse={none,all}");
    solvers = ("greedy-by-size", "naive", "first-fit-by-size",
               "exec:50%_of $x & ~y^2", "exec:awk -f stack.awk # \\z <|> --a");
    seeds = [1, 2]; time_limit_s = 1; budget_s = 10; };
END
"$arenabench" sweep 'uniform:n=8,seed={1..3}' 'uniform:n=40,high=1000000,seed={1..60}' resnet18 \
    --solvers '@heuristics,branch-and-bound@1s' --output many \
    >/dev/null 2>&1 || exit 99
cat >narrow.cfg <<'END'
name = "formulations"; title = "Formulations"; memory_limit_mib = 1024; figures = ["formulations"];
quick: { workloads = ("uniform:n={12,16},seed={11,12}"); time_limit_s = 1; budget_s = 10;
    solvers = ("greedy-by-size", "glpk", "glpk:model=bigm"); seeds = [1]; };
END
"$arenabench" sweep special.cfg narrow.cfg --output special >sweep.log 2>&1 || exit 99
"$top_builddir/tests/harness/report/make_results" builds builds || exit 99
figures=--no-figures
if command -v gnuplot >/dev/null && { [ "$latex" = tectonic ] || kpsewhich graphicx.sty >/dev/null; }; then
    figures=--latex
fi
for dir in many builds special; do
    "$arenabench" report $figures "$dir" >/dev/null 2>&1 || exit 99
done

# An article with all tables and figures of folder $1.
article()
{
    printf '%s\n' '\documentclass[twocolumn]{article}' \
        '\usepackage[letterpaper,textwidth=7in,textheight=9in,columnsep=0.34in]{geometry}' \
        '\usepackage{booktabs}' "\\input{$1/tables/numbers}"
    [ $figures = --no-figures ] || printf '%s\n' '\usepackage{graphicx,color}' "\\graphicspath{{$1/figures/}}"
    printf '%s\n' '\begin{document}'
    for table in "$1"/tables/*.tex; do
        name=$(basename "$table" .tex)
        [ "$name" = numbers ] ||
            printf 'Table~\\ref{tab:%s}.\n\\input{%s/tables/%s}\n\\clearpage\n' "$name" "$1" "$name"
    done
    for figure in "$1"/figures/*.tex; do
        name=$(basename "$figure" .tex)
        [ ! -f "$figure" ] ||
            printf 'Figure~\\ref{fig:%s}.\n\\input{%s/figures/%s}\n\\clearpage\n' "$name" "$1" "$name"
    done
    printf '%s\n' '\end{document}'
}

compiled()
{
    if [ "$latex" = pdflatex ]; then
        pdflatex -interaction=nonstopmode "$1" >/dev/null && pdflatex -interaction=nonstopmode "$1"
    else
        tectonic --keep-logs "$1.tex"
    fi
}

# Boxes that are a point or more too wide, floats that are too long, references to nothing.
faults()
{
    sed -n 's/^Overfull .hbox (\([0-9.]*\)pt.*/\1 &/p' "$1.log" | awk '$1 >= 1'
    grep -a -e '^LaTeX Warning: .* undefined' -e 'Float too large' -e '^!' \
        -e 'multiply defined' "$1.log"
}

for dir in many builds special; do
    article "$dir" >"$dir.tex"
    tap_check "the tables and figures of $dir compile" compiled "$dir"
    tap_check "... and fit, with all references" tap_nothing faults "$dir"
done
tap_check "a table that is longer than a page goes on" grep -q '(continued)' many/tables/adhoc-instances.tex
tap_check "one that is narrow stands in a column" grep -q '^.begin{table}' many/tables/experiments.tex
tap_check "one that is wide stands across the page" grep -q '^.begin{table\*}' many/tables/summary.tex

if [ $figures = --no-figures ]; then
    tap_skip_all "gnuplot or graphicx is not here: no figures"
fi
# Labels that figure $1 sets.
labels()
{
    sed -n 's/.*\\strut{}\(.*\)%$/\1/p' "$1"
}
set -- special/figures/*.tex
tap_check "five figures for LaTeX" test $# -eq 5
tap_check "one that is narrow stands in a column" grep -q '^.begin{figure}' special/figures/formulations.tex
tap_check "one that is wide stands across the page" grep -q '^.begin{figure\*}' special/figures/gap.tex
tap_check "LaTeX sets the labels" grep -q 'share of instances}' special/figures/gap.tex
tap_check "... with what is special in them" grep -Fq 'exec:50\%\_of \$x \& \~{}y\^{}2}}%' \
    special/figures/gap.tex
tap_check "... of a long one the ends" grep -Fq 'exec:awk \ldots{}\textbackslash{}z $<$\textbar{}$>$ -{}-a}}%' \
    special/figures/gap.tex
# The words in a picture.
words_of()
{
    pdftotext "$1" - | tr -d '\f\n'
}
if command -v pdftotext >/dev/null; then
    tap_check "... the picture has none" tap_same "$(words_of special/figures/gap-tex.pdf)" ""
    tap_check "... which that for pages has" test -n "$(words_of special/figures/gap.pdf)"
else
    tap_skip "pdftotext is not here"
fi
tap_check "numbers too" grep -Fxq '0.8}}' <<END
$(labels special/figures/gap.tex)
END
tap_check "powers are formulas" grep -Fq '{\strut{}10$^{\mathrm{-5}}$}}%' special/figures/gap-time.tex
tap_check "the caption is that of the page" grep -q '^.caption\[Gap of each planner\]{Gap of each planner\. ' \
    special/figures/gap.tex
tap_done
