#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# results.db is what the manual page says it is: its tables and columns, a view with a row a run,
# and the same answer from SQL and from Python.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"
cd "${tap_scratch:?}" || exit 99

"$arenabench" sweep 'uniform:n=8,seed={1..3}' --solvers naive,greedy-by-size,tvm-size --output results \
    >/dev/null 2>&1 || exit 99

section()
{
    sed -n '/^\.SH "RESULTS.DB"/,/^\.SH "OUT/p' "$top_srcdir/doc/arenabench.1"
}

block()
{
    section | sed -n "/^\.\\\\\" $1\$/,/^\.fi/p" | grep -v '^\.' |
        sed "s/\\\\(aq/'/g; s#DIR#results#"
}

# "TABLE: COLUMNS", as the page has them.
listed()
{
    section | awk '$1 == ".TP" { getline; table = $2 }
        table != "" && $1 == ".I" { sub(/^\.I /, ""); print table ": " $0; table = "" }' | sort
}

stored()
{
    sqlite3 results/results.db "select m.name || ': ' || (select group_concat(name, ', ')
        from pragma_table_info(m.name)) from sqlite_master m where m.type in ('table', 'view')
        and m.name not like 'sqlite%'" | sort
}

# By the file that the sweep writes beside the store: planner, plans, mean of peak / load in one arena.
expected()
{
    csv_rows results/adhoc.csv '
        $at["layout"] == "arena" { n[$at["contestant"]]++; sum[$at["contestant"]] += $at["peak"] / $at["load"] }
        END { for (p in n) printf "%s|%d|%.3f\n", p, n[p], sum[p] / n[p] }' |
        sort -t'|' -k3
}

block view >view.sql
if command -v sqlite3 >/dev/null; then
    tap_check "the manual page has every table and column" tap_same "$(listed)" "$(stored)"
    { cat view.sql && block sql; } >question.sql
    tap_check "SQL answers as it says" tap_same "$(sqlite3 results/results.db <question.sql)" "$(expected)"
    tap_check "... with a row a run, of this build" tap_same \
        "$({ cat view.sql && echo "select count(*), count(commit_id), count(processor) from run_view;"; } |
            sqlite3 results/results.db)" "9|9|9"
    processor=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | sed 1q)
    [ -z "$processor" ] || tap_check "... which names the processor" tap_same "$(sqlite3 results/results.db \
        "select value from provenance where kind = 'machine' and name = 'processor'")" "$processor"
else
    tap_skip "sqlite3 is not here"
fi
if command -v python3 >/dev/null && python3 -c 'import sqlite3' 2>/dev/null; then
    block python >question.py
    tap_check "Python answers as it says" tap_same "$(python3 question.py)" "$(expected)"

    # report.sh has one of a small instance.
    "$arenabench" sweep uniform:n=150 --solvers greedy-by-size,tvm-size,naive --output large >/dev/null 2>&1
    for task in 1 2 3; do
        sed -n '/^\.SH "STORED PLANS"/,/^\.SH "[^S]/p' "$top_srcdir/doc/arenabench.1" |
            sed -n '/^\.\\" python$/,/^\.fi/p' | grep -v '^\.' |
            sed "s#DIR#large#; s/TASK/$task/" >read.py
        tap_check "... also of plan $task of a large instance, which has a base" tap_same \
            "$(python3 read.py | tr -d '[],')" \
            "$("$arenabench" plans large --task $task | cut -d, -f5 | sed 1d | tr '\n' ' ' | sed 's/ $//')"
    done
else
    tap_skip "python3 is not here"
fi
tap_done
