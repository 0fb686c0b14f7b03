#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The rules by which `make mutants` breaks lines, on a file that has something for each of them, and
# the list of faults that change nothing.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
top_srcdir=$(cd "$top_srcdir" && pwd)
mutants=$top_srcdir/build-aux/mutants
cd "$tap_scratch" || exit 99
if ! python3 -c 'import csv' 2>/dev/null; then
    tap_skip "python3 is not here"
    tap_done
fi

cat >all.c <<'END_OF_C'
/* if (a < b) return true; */
#define MOST (1 + 2)
static const int table[] = {1, 2};

static void walk(struct list *list, size_t n)
{
    size_t at = n - 1;

    for (size_t i = 0; i < n && list != NULL; i++)
        visit(list, at);
    if (list->next == NULL ||
        at > 3)
        puts("at > 3");
    assert(n > 0);
    memory_free(list);
    at = min64(at, n);
}

bool found(int a)
{
    return -1 <= a;
}
END_OF_C
cat >want <<'END_OF_LIST'
all.c:6: early: { return;
all.c:7: constant: size_t at = n - 0;
all.c:7: constant: size_t at = n - 2;
all.c:7: sum: size_t at = n + 1;
all.c:9: constant: for (size_t i = 1; i < n && list != NULL; i++)
all.c:9: logic: for (size_t i = 0; i < n || list != NULL; i++)
all.c:9: relation: for (size_t i = 0; i < n && list == NULL; i++)
all.c:9: relation: for (size_t i = 0; i <= n && list != NULL; i++)
all.c:10: remove: ;
all.c:10: swap: visit(at, list);
all.c:11: logic: if (list->next == NULL &&
all.c:11: negate: if (!(list->next == NULL || at > 3))
all.c:11: relation: if (list->next != NULL ||
all.c:12: constant: at > 2)
all.c:12: constant: at > 4)
all.c:12: relation: at >= 3)
all.c:13: remove: ;
all.c:16: extreme: at = max64(at, n);
all.c:16: remove: ;
all.c:21: constant: return -0 <= a;
all.c:21: relation: return -1 < a;
END_OF_LIST
listed()
{
    "$mutants" sites all.c | LC_ALL=C sort -t: -k2,2n -k3 >got
    diff want got
}
tap_check "each rule breaks what it is for, and nothing in comments, texts, asserts" listed
listed_equivalents()
{
    "$mutants" equivalent "$top_srcdir"
}
tap_check "what is listed as equivalent is there" listed_equivalents
stale()
{
    mkdir -p stale/build-aux && cp all.c stale && "$mutants" equivalent "$top_srcdir" >/dev/null &&
        printf 'all.c\tat = min64(at, n);\tat = max64(at, n);\twhy\n' >stale/build-aux/mutants-equivalent &&
        tap_exits 0 "$mutants" equivalent stale && grep -q '^1 mutants' out &&
        printf 'all.c\tat = min64(at, n);\tat = n;\twhy\n' >stale/build-aux/mutants-equivalent &&
        tap_exits 1 "$mutants" equivalent stale && grep -q ':1: all.c has no such line' err
}
tap_check "and a row whose line is gone is an error with its place" stale
tap_done
