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
python3 -c 'import csv' 2>/dev/null || tap_skip_all "python3 is not here"

cat >all.c <<'END_OF_C'
/* if (a < b) return true; */
#define MOST (1 + 2)
static const int table[] = {1, 2};

static void walk(struct list *list, size_t n)
{
    size_t at = n - 1;

    for (size_t i = 0; i < n && list != NULL; i++)
        visit(list, at);
    while (strcmp(list->name, name) != 0)
        list = list->next;
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
all.c:11: constant: while (strcmp(list->name, name) != 1)
all.c:11: negate: while (!(strcmp(list->name, name) != 0))
all.c:11: relation: while (strcmp(list->name, name) == 0)
all.c:12: remove: ;
all.c:13: logic: if (list->next == NULL &&
all.c:13: negate: if (!(list->next == NULL || at > 3))
all.c:13: relation: if (list->next != NULL ||
all.c:14: constant: at > 2)
all.c:14: constant: at > 4)
all.c:14: relation: at >= 3)
all.c:15: remove: ;
all.c:18: extreme: at = max64(at, n);
all.c:18: remove: ;
all.c:23: constant: return -0 <= a;
all.c:23: relation: return -1 < a;
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
# Rows of two faults that are there, one of which survived, and of one that is gone.
results()
{
    mkdir -p work/tree/build-aux && cp all.c work/tree &&
        PYTHONPATH=$top_srcdir/build-aux PYTHONDONTWRITEBYTECODE=1 python3 - >work/mutants.csv <<'END_OF_PYTHON'
import mutant_sites
sites = mutant_sites.sites('all.c', open('all.c', encoding='utf-8').read())
print('key,area,file,line,rule,before,after,result,by,seconds')
for site, result in ((sites[0], 'caught'), (next(s for s in sites if s.rule == 'extreme'), 'survived')):
    print(f'{site.key},a,all.c,1,{site.rule},x,y,{result},t,1.0')
print('0123456789ab,a,all.c,1,sum,x,y,survived,t,1.0')
END_OF_PYTHON
}
tried()
{
    results && : >work/tree/build-aux/mutants-equivalent &&
        tap_exits 1 "$mutants" tried work && grep -q '^2 mutants, 1 caught (50.0 %), 1 survive;' out &&
        grep -q '^survives: all.c:18: ' out &&
        printf 'all.c\tat = min64(at, n);\tat = max64(at, n);\twhy\n' >work/tree/build-aux/mutants-equivalent &&
        tap_exits 0 "$mutants" tried work &&
        grep -q '^1 mutants, 1 caught (100.0 %), 0 survive; besides, 1 equivalent' out
}
tap_check "what was tried is summed up where its line is still there" tried
tap_done
