#!/bin/sh
# The arrows between the folders, held by what the files include; which file
# may include the headers of which library; the order and the guards.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/tap.sh"

# Each function prints what breaks its rule in the tree where it runs, as FILE and
# a text.

sources()
{
    # An in-tree build leaves generated files among them.
    find lib workloads solvers kernels harness tests -name '*.[ch]' \
        ! -name buildinfo.h ! -name registry.c ! -name '*.pb-c.[ch]' 2>/dev/null | sort
}

# FILE HEADER for each project header that is included.
project_includes()
{
    sources | xargs awk '/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); print FILENAME " " part[2] }'
}

# What a folder may include beside itself.
wrong_arrows()
{
    project_includes | awk '
    BEGIN {
        allowed["lib"] = " lib "
        allowed["workloads"] = " lib workloads "
        allowed["solvers"] = " lib solvers "
        allowed["kernels"] = " lib kernels "
        allowed["harness"] = " lib workloads solvers kernels harness "
        allowed["tests"] = " lib workloads solvers kernels harness tests "
    }
    {
        from = $1; sub("/.*", "", from)
        to = $2; sub("/.*", "", to)
        if (index(allowed[from], " " to " ") == 0)
            print $1 " includes " $2
    }'
}

missing_headers()
{
    project_includes | while read -r file header; do
        [ -f "$header" ] || [ "$header" = harness/buildinfo.h ] || [ "${header%.pb-c.h}" != "$header" ] ||
            echo "$file includes $header, which is not there (headers are named from the root)"
    done
}

# Files that include <$1...>.
users()
{
    sources | xargs grep -l "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$1"
}

wrong_glpk()
{
    users glpk.h | grep -v '/glpk_[^/]*\.c$'
}

# The random numbers, wrappers of its searches, and at most one file of statistics.
wrong_gsl()
{
    users gsl/ | grep -v -e '^lib/rng\.c$' -e '/gsl_[^/]*\.c$' | sed '/\.c$/{1d;}'
}

# The store with what its files share, and its tests, which look at the file
# behind the store's back.
wrong_sqlite()
{
    users sqlite3.h | grep -v -e '^harness/store\(_[^/]*\)*\.c$' \
        -e '^harness/store_private\.h$' -e '^tests/t_store\(_[^/]*\)*\.c$'
}

wrong_libconfig()
{
    users libconfig.h | sed '/\.c$/{1d;}'
}

# With what protoc-c writes, which brings the library's header along.
wrong_protobuf()
{
    users '\(protobuf-c/\|.*\.pb-c\.h\)' | sed '/\.c$/{1d;}'
}

# <config.h>, then the file's own header, where there is one.
wrong_order()
{
    sources | grep '\.c$' | xargs awk -v headers=" $(sources | grep '\.h$' | tr '\n' ' ')" '
    function judge(file) {
        own = file; sub(/\.c$/, ".h", own)
        if (include[1] != "<config.h>")
            print file ": <config.h> is not the first include"
        if (index(headers, " " own " ") > 0 && include[2] != "\"" own "\"")
            print file ": its own header is not the second include"
    }
    FNR == 1 {
        if (NR > 1) judge(last)
        last = FILENAME; includes = 0; include[1] = include[2] = ""
    }
    /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
        match($0, /[<"][^>"]*[>"]/)
        include[++includes] = substr($0, RSTART, RLENGTH)
    }
    END { judge(last) }'
    sources | grep '\.h$' | xargs grep -l 'include *<config\.h>' |
        sed 's/$/: a header includes <config.h>/'
}

wrong_guards()
{
    sources | grep '\.h$' | xargs awk '
    function judge(file) {
        if (tests != 1 || definitions != 1) print file ": guard is not " guard
    }
    FNR == 1 {
        if (NR > 1) judge(last)
        last = FILENAME; tests = definitions = 0
        guard = "ARENABENCH_" toupper(FILENAME); gsub(/[^A-Z0-9_]/, "_", guard)
    }
    $0 == "#ifndef " guard { tests++ }
    $0 == "#define " guard { definitions++ }
    END { judge(last) }'
}

# Prints the numbers of the files that RULE ($1) names, for the trees below.
caught()
{
    "$1" | sed 's/[: ].*//' | sort -u | tr '\n' ' '
}

cd "$top_srcdir" || exit 99
tap_check "there are sources to look at" test "$(sources | wc -l)" -gt 20
tap_check "arrows run one way: lib <- workloads, solvers, kernels <- harness" tap_nothing wrong_arrows
tap_check "project headers are named from the root" tap_nothing missing_headers
tap_check "<glpk.h> only in files named glpk_*.c" tap_nothing wrong_glpk
tap_check "<gsl/...> only in lib/rng.c, gsl_*.c and one file of statistics" tap_nothing wrong_gsl
tap_check "<sqlite3.h> only in harness/store.c or store_*.c" tap_nothing wrong_sqlite
tap_check "<libconfig.h> in one file only" tap_nothing wrong_libconfig
tap_check "protobuf-c in one file only" tap_nothing wrong_protobuf
tap_check "<config.h> first in each .c, then the file's own header" tap_nothing wrong_order
tap_check "header guards are ARENABENCH_FOLDER_FILE_H" tap_nothing wrong_guards

# A tree that breaks every rule: the checks must see it.
mkdir "$tap_scratch/tree" && cd "$tap_scratch/tree" && mkdir lib solvers workloads harness || exit 99
put()
{
    file=$1
    shift
    printf '%s\n' "$@" >"$file"
}
put lib/a.c '#include <config.h>' '#include "solvers/solver.h"'
put lib/good.c '#include <config.h>' '' '#include "lib/good.h"' '#include <stdio.h>'
put lib/good.h '#ifndef ARENABENCH_LIB_GOOD_H' '#define ARENABENCH_LIB_GOOD_H' '#endif'
put lib/late.c '#include <stdio.h>' '#include <config.h>'
put lib/late.h '#ifndef LATE_H' '#define LATE_H' '#include <config.h>' '#endif'
put lib/rng.c '#include <config.h>' '#include <gsl/gsl_rng.h>'
put lib/glpk_flow.c '#include <config.h>' '#include <glpk.h>'
put solvers/gsl_anneal.c '#include <config.h>' '#include <gsl/gsl_siman.h>'
put solvers/b.c '#include <config.h>' '#  include "workloads/workload.h"' '#include <glpk.h>'
put solvers/solver.h '#ifndef ARENABENCH_SOLVERS_SOLVER_H' '#define ARENABENCH_SOLVERS_SOLVER_H' '#endif'
put workloads/w.c '#include <config.h>' '#include "lib/good.h"' '#include "harness/store.h"' \
    '#include <gsl/gsl_sf.h>'
put harness/s.c '#include <config.h>' '#include <sqlite3.h>' '#include <gsl/gsl_statistics.h>'
put harness/c1.c '#include <config.h>' '#include <libconfig.h>'
put harness/c2.c '#include <config.h>' '#include <libconfig.h>'
put workloads/p1.c '#include <config.h>' '#include "workloads/x.pb-c.h"'
put workloads/p2.c '#include <config.h>' '#include <protobuf-c/protobuf-c.h>'
tap_check "wrong arrows are seen" tap_same "$(caught wrong_arrows)" "lib/a.c solvers/b.c workloads/w.c "
tap_check "absent headers are seen" tap_same "$(caught missing_headers)" "solvers/b.c workloads/w.c "
tap_check "<glpk.h> elsewhere is seen" tap_same "$(caught wrong_glpk)" "solvers/b.c "
tap_check "a second file with GSL is seen" tap_same "$(caught wrong_gsl)" "workloads/w.c "
tap_check "<sqlite3.h> elsewhere is seen" tap_same "$(caught wrong_sqlite)" "harness/s.c "
tap_check "a second file with libconfig is seen" tap_same "$(caught wrong_libconfig)" "harness/c2.c "
tap_check "a second file with protobuf-c is seen" tap_same "$(caught wrong_protobuf)" "workloads/p2.c "
tap_check "wrong order is seen" tap_same "$(caught wrong_order)" "lib/late.c lib/late.h "
tap_check "wrong guards are seen" tap_same "$(caught wrong_guards)" "lib/late.h "
tap_done
