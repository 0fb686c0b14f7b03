#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One name a thing: the registered name a-b is the file a-b.c, the symbol
# KIND_a_b and what `list` prints; and each file of a folder is in its list.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
arenabench=${top_builddir:?}/arenabench

# The words of the list VARIABLE ($1) in the make file $2, one a line.
members()
{
    awk -v name="$1" '
    !inside && $1 == name && ($2 == "=" || $2 == "+=") { inside = 1; $1 = $2 = "" }
    inside {
        more = $NF == "\\"
        for (i = 1; i <= NF; i++)
            if ($i != "\\" && $i != "") print $i
        inside = more
    }' "$2"
}

# unlisted FOLDER LIST MAKEFILE: source files there that the list lacks.
unlisted()
{
    members "$2" "$3" >"$tap_scratch/listed"
    for file in "$1"/*.c; do
        [ -f "$file" ] || continue
        case $file in */find.c | */registry.c) continue ;; esac
        # What several share has a header; what is registered has none.
        [ ! -f "${file%.c}.h" ] || continue
        grep -qxF "$file" "$tap_scratch/listed" || echo "$file is not in $2 of $3"
    done
}

# misnamed KIND LIST MAKEFILE: files whose symbol or name is another.
misnamed()
{
    members "$2" "$3" | while read -r file; do
        stem=$(basename "$file" .c)
        symbol=$1_$(echo "$stem" | tr - _)
        [ -f "$file" ] || {
            echo "$3 lists $file, which is not there"
            continue
        }
        grep -q "^const struct $1 $symbol = {" "$file" || echo "$file does not define $symbol"
        # A network file registers a family of names, and none of its own.
        [ "$1" = network_family ] ||
            [ "$(sed -n "/^const struct $1 $symbol = {/,/^}/s/^ *\.name = \"\(.*\)\",.*/\1/p" \
                "$file")" = "$stem" ] || echo "$file does not register the name $stem"
    done
}

# unlike LIST MAKEFILE TABLE: where `list TABLE` prints other names than LIST has files.
unlike()
{
    "$arenabench" list "$3" --format csv >"$tap_scratch/table" || return
    sed '1d; s/,.*//' "$tap_scratch/table" | sort >"$tap_scratch/printed"
    members "$1" "$2" | sed 's|.*/||; s/\.[a-z]*$//' | sort >"$tap_scratch/listed"
    diff "$tap_scratch/listed" "$tap_scratch/printed"
}

# Kernels that `list` prints without a file in the list; which peers there are
# depends on the libraries that configure found.
unlisted_kernels()
{
    unlike kernel_files kernels/local.mk kernels | grep '^>'
}

# The cells of a CSV file with tabs between them.
cells()
{
    awk '{
        line = quoted = ""
        for (i = 1; i <= length($0); i++) {
            c = substr($0, i, 1)
            if (c == "\"") quoted = !quoted
            else line = line (c == "," && !quoted ? "\t" : c)
        }
        print line
    }' "$1"
}

# Rows of `list TABLE` with a name that stood before, or without title or source.
unclear()
{
    "$arenabench" list "$1" --format csv >"$tap_scratch/table" || return
    cells "$tap_scratch/table" | awk -F '\t' '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    seen[$1]++ { print $1 " stands twice" }
    $column["title"] == "" { print $1 " has no title" }
    "source" in column && $column["source"] == "" { print $1 " has no source" }'
}

cd "$top_srcdir" || exit 99
tap_check "there are solvers" test "$(members solver_files solvers/local.mk | wc -l)" -gt 1
tap_check "there are networks" test "$(members network_families workloads/local.mk | wc -l)" -gt 1
tap_check "every solver's file is in the list" tap_nothing unlisted solvers solver_files \
    solvers/local.mk
tap_check "a solver's file, symbol and name agree" tap_nothing misnamed solver solver_files \
    solvers/local.mk
tap_check "list solvers prints them" tap_nothing unlike solver_files solvers/local.mk solvers
tap_check "every peer's file is in the list" tap_nothing unlisted kernels/peers kernel_files \
    kernels/local.mk
tap_check "a kernel's file, symbol and name agree" tap_nothing misnamed conv_kernel kernel_files \
    kernels/local.mk
tap_check "list kernels prints no other" tap_nothing unlisted_kernels
tap_check "every network's file is in the list" tap_nothing unlisted workloads/networks \
    network_families workloads/local.mk
tap_check "a network's file and symbol agree" tap_nothing misnamed network_family \
    network_families workloads/local.mk
for kind in generator reader; do
    tap_check "every $kind's file is in the list" tap_nothing unlisted workloads/${kind}s ${kind}s \
        workloads/local.mk
    tap_check "a $kind's file, symbol and name agree" tap_nothing misnamed $kind ${kind}s \
        workloads/local.mk
    tap_check "list ${kind}s prints them" tap_nothing unlike ${kind}s workloads/local.mk ${kind}s
done
experiments()
{
    members dist_experiments_DATA experiments/local.mk
}
tap_check "every experiment's file is in the list" tap_same \
    "$(find experiments -name '*.cfg' | sort | tr '\n' ' ')" "$(experiments | sort | tr '\n' ' ')"
tap_check "list experiments prints them" tap_nothing unlike dist_experiments_DATA \
    experiments/local.mk experiments
# style.gp and kinds.gp are what figures share, plan.gp, capacity.gp and trace.gp what draw, fit and trace use.
tap_check "every figure's file is in the list" tap_same \
    "$(find plots -name '*.gp' ! -name style.gp ! -name kinds.gp ! -name plan.gp ! -name capacity.gp ! -name trace.gp |
        sort | tr '\n' ' ')" \
    "$(members figure_files plots/local.mk | sort | tr '\n' ' ')"
tap_check "list figures prints them" tap_nothing unlike figure_files plots/local.mk figures
tap_check "every table's file is in the list" tap_same "$(find plots/tables -name '*.sql' | sort | tr '\n' ' ')" \
    "$(members table_files plots/local.mk | sort | tr '\n' ' ')"
for table in solvers networks generators readers kernels experiments figures statistics; do
    tap_check "list $table: each once, with title and source" tap_nothing unclear $table
done

# A tree that breaks every rule: the checks must see it.
mkdir "$tap_scratch/tree" && cd "$tap_scratch/tree" && mkdir solvers || exit 99
printf 'solver_files = \\\n\tsolvers/a-b.c \\\n\tsolvers/c.c \\\n\tsolvers/gone.c\n\nother = \\\n\tx.c\n' >list.mk
printf 'const struct solver solver_a_b = {\n    .name = "a_b",\n};\n' >solvers/a-b.c
printf 'const struct solver solver_d = {\n    .name = "c",\n};\n' >solvers/c.c
printf 'int f;\n' >solvers/stray.c
tap_check "a list is read whole" tap_same "$(members solver_files list.mk | tr '\n' ' ')" \
    "solvers/a-b.c solvers/c.c solvers/gone.c "
tap_check "an unlisted file is seen" tap_same "$(unlisted solvers solver_files list.mk)" \
    "solvers/stray.c is not in solver_files of list.mk"
tap_check "wrong names, symbols and absent files are seen" tap_same \
    "$(misnamed solver solver_files list.mk | tr '\n' '|')" \
    "solvers/a-b.c does not register the name a-b|solvers/c.c does not define solver_c|solvers/c.c \
does not register the name c|list.mk lists solvers/gone.c, which is not there|"
tap_done
