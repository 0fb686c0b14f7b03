#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a formatter does not hold: lengths of functions and files, blanks,
# paths of one machine, things left open.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

# Each function prints what breaks its rule in the tree where it runs.

# What people wrote: what git tracks, or in a release what it brings along.
files()
{
    if [ -e .git ] && git ls-files >"$tap_scratch/.files" 2>/dev/null; then
        # A file can be gone from the tree and not yet from git.
        while read -r file; do
            [ ! -f "$file" ] || echo "$file"
        done <"$tap_scratch/.files"
    else
        find bootstrap fetch_data run_sweep GNUmakefile Makefile.am configure.ac README.md HACKING.md NEWS \
            CITATION.cff bindings examples lib planner runtime workloads solvers kernels harness experiments programs plots tests doc m4 \
            build-aux -type f \
            ! -name '*.o' ! -name '*.a' ! -name '*.t' ! -name '*.log' ! -name '*.trs' \
            ! -name '*.Po' ! -name .dirstamp ! -name buildinfo.h ! -name registry.c ! -name '*.pb-c.[ch]' \
            2>/dev/null
    fi | grep -v -e '^results/' -e '^COPYING$' -e '^build-aux/[^/]*\.[^/]*$' \
        -e '^build-aux/\(ar-lib\|compile\|depcomp\|install-sh\|missing\|test-driver\)$' | sort
}

code()
{
    files | grep -e '\.[ch]$' -e '\.cc$'
}

# each LIST COMMAND...: the command over the files that LIST names.
each()
{
    list=$1
    shift
    "$list" | tr '\n' '\0' | xargs -0 "$@"
}

# clang-format puts the brace of a function, and only that, alone on a line.
long_functions()
{
    each code awk '
    FNR == 1 { start = 0 }
    /^\{$/ { start = FNR }
    /^\}/ { if (start && FNR - start > 80) print FILENAME ":" start ": " FNR - start " lines"; start = 0 }'
}

long_files()
{
    each code awk '
    FNR == 601 { print FILENAME ": more than 600 lines" }'
}

wide_lines()
{
    each code awk 'length($0) > 100 { print FILENAME ":" FNR ": wider than 100 columns" }'
}

tabs()
{
    each code grep -n "$(printf '\t')" /dev/null
}

# Inputs that are meant to be odd are the tests' business.
text()
{
    files | grep -v -e '^tests/fuzz/corpus/' -e '^tests/data/' -e '\.\(png\|svg\|pdf\)$'
}

trailing_blanks()
{
    each text grep -nI '[[:blank:]]$' /dev/null
}

no_newline_at_end()
{
    text | while read -r file; do
        [ ! -s "$file" ] || [ -z "$(tail -c 1 "$file")" ] || echo "$file: no newline at the end"
    done
}

# The brackets keep the patterns from finding themselves.
machine_paths()
{
    each text grep -nIE '(^|[^[:alnum:]_.$}"])/(wor[k]|hom[e]|roo[t]|User[s])/[A-Za-z]' /dev/null
}

left_open()
{
    each text grep -nIwE 'TOD[O]|FIXM[E]|XX[X]|not implemente[d]' /dev/null
    each text grep -nIE '^(<<<<<<<|>>>>>>>) ' /dev/null
}

# Pages and files of ours that code names and that are not there: a folder of ours and a
# name, or a page in capitals.  What NNC has in its lib/nnc is not ours.
absent_citations()
{
    each code grep -noE '\b(lib|harness|kernels|planner|plots|results|solvers|tests|workloads)/[A-Za-z0-9_./-]+\.(c|h|sh|gp|sql|csv)\b|\b[A-Z]+\.md\b|#include.*' /dev/null |
        grep -v -e ':#include' -e NAME -e ':lib/nnc/' |
        while IFS=: read -r file line cited; do
            [ -e "$cited" ] || echo "$file:$line: there is no $cited"
        done
}

# What is told to people goes through lib/base/people.h; what is printed else is ours alone, or has been
# through it.
unseen()
{
    code | grep -E '^(harness|kernels|lib|planner|runtime|solvers|workloads)/' | tr '\n' '\0' |
        xargs -0 grep -nE '(^|[ (])(v?printf\("|v?fprintf\((stderr|stdout)|puts\()' /dev/null |
        grep -v -e '^harness/cli/\(compare_rows\|main\)\.c:' -e '^harness/io/\(options\|status_line\)\.c:' \
            -e '^lib/base/check\.c:'
}

# The files in which a rule found something.
caught()
{
    "$1" | sed 's/:.*//' | sort -u | tr '\n' ' '
}

cd "$top_srcdir" || exit 99
tap_check "there is code to look at" test "$(code | wc -l)" -gt 20
tap_check "no function is longer than 80 lines" tap_nothing long_functions
tap_check "no file of code is longer than 600 lines" tap_nothing long_files
tap_check "no line of code is wider than 100 columns" tap_nothing wide_lines
tap_check "no tabs in code" tap_nothing tabs
tap_check "no blanks at the end of a line" tap_nothing trailing_blanks
tap_check "every file ends with a newline" tap_nothing no_newline_at_end
tap_check "no paths of one machine" tap_nothing machine_paths
tap_check "nothing is marked as left open" tap_nothing left_open
tap_check "what code cites is there" tap_nothing absent_citations
tap_check "what is told to people passes the one place for it" tap_nothing unseen

# A tree that breaks every rule: the checks must see it.
mkdir "$tap_scratch/tree" && cd "$tap_scratch/tree" && mkdir lib || exit 99
{
    printf 'int f(void)\n{\n'
    yes '    g();' | sed 80q
    printf '}\n'
} >lib/function.c
yes 'int a;' | sed 601q >lib/file.c
printf 'struct table a[] = {\n' >lib/good.c
yes '    {1},' | sed 100q >>lib/good.c
printf '};\n' >>lib/good.c
printf '/* %0100d */\n' 0 >lib/wide.c
printf '\tint a;\n' >lib/tab.c
printf 'blank \n' >bootstrap
printf 'no newline' >README.md
printf 'see /ho''me/someone/file\n' >HACKING.md
printf '/* TO''DO: all */\n' >lib/open.c
printf '>>>>>>> branch\n' >lib/merged.h
tap_check "a long function is seen" tap_same "$(caught long_functions)" "lib/function.c "
tap_check "a long file is seen" tap_same "$(caught long_files)" "lib/file.c "
tap_check "a wide line is seen" tap_same "$(caught wide_lines)" "lib/wide.c "
tap_check "a tab is seen" tap_same "$(caught tabs)" "lib/tab.c "
tap_check "a trailing blank is seen" tap_same "$(caught trailing_blanks)" "bootstrap "
tap_check "a missing newline is seen" tap_same "$(caught no_newline_at_end)" "README.md "
tap_check "a machine's path is seen" tap_same "$(caught machine_paths)" "HACKING.md "
printf '#include "lib/built.h"\n/* lib/good.c, plots/NAME.gp; see NOWHERE''.md.  */\n' >lib/page.c
printf '/* As in lib/gone''.h.  */\n' >lib/header.c
tap_check "a citation of nothing is seen" tap_same "$(caught absent_citations)" "lib/header.c lib/page.c "
printf 'printf("%%s", name);\nout = memory_printf("%%s", name);\n' >lib/told.c
tap_check "a print that passes it by is seen" tap_same "$(caught unseen)" "lib/told.c "
tap_check "an open end is seen" tap_same "$(caught left_open)" "lib/merged.h lib/open.c "
tap_done
