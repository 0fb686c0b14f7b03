#!/bin/sh
# The tables of a report in an article of two columns: each compiles, with its caption and label,
# and nothing is wider than its column or longer than its page.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
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
if [ -z "$latex" ]; then
    tap_skip "LaTeX (pdflatex with booktabs and geometry, or tectonic) is not here"
    tap_done
fi

# Every planner, long names, more rows than a page has.
"$arenabench" sweep 'uniform:n=8,seed={1..3}' 'uniform:n=40,high=1000000,seed={1..60}' resnet18 \
    --solvers '@heuristics,branch-and-bound@1s' --output many \
    >/dev/null 2>&1 || exit 99
"$top_builddir/tests/harness/report/make_results" builds builds || exit 99
for dir in many builds; do
    "$arenabench" report --no-figures "$dir" >/dev/null 2>&1 || exit 99
done

# An article with all tables of folder $1.
article()
{
    printf '%s\n' '\documentclass[twocolumn]{article}' \
        '\usepackage[letterpaper,textwidth=7in,textheight=9in,columnsep=0.34in]{geometry}' \
        '\usepackage{booktabs}' "\\input{$1/tables/numbers}" '\begin{document}'
    for table in "$1"/tables/*.tex; do
        name=$(basename "$table" .tex)
        [ "$name" = numbers ] ||
            printf 'Table~\\ref{tab:%s}.\n\\input{%s/tables/%s}\n\\clearpage\n' "$name" "$1" "$name"
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

for dir in many builds; do
    article "$dir" >"$dir.tex"
    tap_check "the tables of $dir compile" compiled "$dir"
    tap_check "... and fit, with all references" tap_nothing faults "$dir"
done
tap_check "a table that is longer than a page goes on" grep -q '(continued)' many/tables/adhoc-instances.tex
tap_check "one that is narrow stands in a column" grep -q '^.begin{table}' many/tables/experiments.tex
tap_check "one that is wide stands across the page" grep -q '^.begin{table\*}' many/tables/summary.tex
tap_done
