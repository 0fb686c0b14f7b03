#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The arrows between the folders, held by what the files include; which file
# may include the headers of which library; the order and the guards.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

# Each function prints what breaks its rule in the tree where it runs, as FILE and
# a text.

sources()
{
    # An in-tree build leaves generated files among them.
    find lib planner runtime workloads solvers memories hazards traces kernels harness tests \( -name '*.[ch]' -o -name '*.cc' \) \
        ! -name buildinfo.h ! -name registry.c ! -name '*.pb-c.[ch]' 2>/dev/null | sort
}

# FILE HEADER for each project header that is included.
project_includes()
{
    sources | xargs awk '/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); print FILENAME " " part[2] }'
}

# What a room may include beside itself: a room, or a folder for all rooms in it.  No
# arrow runs up, and none in a cycle: each room names only rooms above it in this list.
arrows='
lib/base
lib/problem: lib/base
lib/place: lib/base lib/problem
lib/graph: lib/base
lib/lifetimes: lib/base lib/problem lib/graph
lib/judge: lib/base lib/problem lib/graph lib/lifetimes
planner:
planner/disjunctive: lib/base lib/problem lib/judge lib/place
planner/dives: lib/base lib/problem lib/place planner/disjunctive
planner/sections: lib/base lib/problem lib/place planner/dives planner/disjunctive
planner/alone: lib/base
planner/library: lib/base lib/problem lib/place planner
runtime/operators: lib/base lib/graph
runtime: lib runtime/operators
workloads/builder: lib/base lib/graph
workloads: lib workloads/builder
workloads/networks: lib/base lib/graph workloads/builder workloads
workloads/generators: lib/base lib/problem lib/graph workloads/builder workloads
workloads/readers: lib workloads
workloads/readers/megengine: lib workloads
workloads/readers/ncnn: lib workloads workloads/readers
workloads/readers/onnx/file: lib/base
workloads/readers/onnx/rules: lib/base lib/graph runtime/operators workloads/readers workloads/readers/onnx/file
workloads/readers/onnx: lib/base lib/graph runtime/operators workloads workloads/readers/onnx/file workloads/readers/onnx/rules
workloads/readers/tflite: lib workloads workloads/readers
solvers/boxing: lib/base lib/place
solvers/fit: lib
solvers/library: lib/base lib/problem planner
solvers/minimalloc: lib/base lib/problem lib/place
solvers/program: lib/base lib/problem
solvers/search: lib/base lib/problem lib/place solvers/fit
solvers/shipped: lib/base lib/problem lib/place solvers/fit
solvers: lib planner solvers/boxing solvers/fit solvers/library solvers/minimalloc solvers/program solvers/search solvers/shipped
memories: lib planner solvers/library solvers/shipped
hazards: lib planner solvers/library
traces: lib hazards
kernels: lib/base lib/graph
kernels/mgemm: lib/base kernels
kernels/emitted: lib/base kernels kernels/mgemm
kernels/model: lib/base lib/graph kernels kernels/mgemm
kernels/peers: lib/base kernels
runtime: lib runtime/operators kernels
harness/io: lib/base lib/problem lib/graph kernels
harness/run: lib/base lib/problem lib/lifetimes lib/judge solvers harness/io
harness/timing: lib/base lib/graph lib/lifetimes lib/problem workloads kernels kernels/model runtime harness/io harness/run
harness/beside: lib/base lib/graph solvers/program runtime harness/io harness/run
harness/suite: lib workloads harness/io harness/run
harness/store: lib kernels harness/io
harness/report: lib/base lib/problem workloads solvers memories kernels harness/io harness/suite harness/store
harness/sweep: lib workloads runtime solvers memories kernels kernels/emitted kernels/model harness/io harness/run harness/timing harness/store
harness/cli: lib planner memories hazards traces workloads workloads/readers/megengine solvers solvers/library kernels runtime harness
'

# lib and harness have no files of their own, planner only what others see of it: named alone they
# are all their rooms.
wrong_arrows()
{
    project_includes | awk -v arrows="$arrows" '
    # Tests may look into all of the sources, and at what tests share: that knows no test.
    function test_may(from, to) {
        if (to !~ /^tests\//) return 1
        return to == "tests/support" || (to == "tests/oracles" && from != "tests/support")
    }
    BEGIN {
        count = split(arrows, line, "\n")
        for (i = 1; i <= count; i++) {
            room = line[i]; sub(/:.*/, "", room)
            if (room == "") continue
            sub(/^[^:]*:?/, "", line[i])
            allowed[room] = " " line[i] " "
        }
    }
    {
        from = $1; sub("/[^/]*$", "", from)
        to = $2; sub("/[^/]*$", "", to)
        folder = to; sub("/.*", "", folder)
        if (from == to || index(allowed[from], " " to " ") > 0) next
        if (folder ~ /^(lib|planner|harness)$/ && index(allowed[from], " " folder " ") > 0) next
        if (from ~ /^tests/ && test_may(from, to)) next
        print $1 " includes " $2
    }'
}

# Each room of the list stands below all that it names, and each folder with sources is
# in the list.
wrong_rooms()
{
    echo "$arrows" | awk '
    $1 == "" { next }
    {
        room = $1; sub(/:$/, "", room)
        for (i = 2; i <= NF; i++) {
            known = seen[$i]
            for (r in seen) if (index(r, $i "/") == 1) known = 1
            if (!known) print room ": " $i " is not above it"
        }
        seen[room] = 1
    }'
    sources | sed 's|/[^/]*$||' | sort -u | while read -r room; do
        case ${room#tests/} in house | oracles | support | upstream | bench | fuzz) continue ;; esac
        room=${room#tests/}
        echo "$arrows" | grep -q -e "^$room:" -e "^$room\$" || echo "$room: not in the list of rooms"
    done
}

missing_headers()
{
    project_includes | while read -r file header; do
        [ -f "$header" ] || [ "$header" = harness/io/buildinfo.h ] || [ "${header%.pb-c.h}" != "$header" ] ||
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
    users gsl/ | grep -v -e '^lib/base/rng\.c$' -e '/gsl_[^/]*\.c$' | sed '/\.c$/{1d;}'
}

# The store with what its files share, the rows of a query, and the store's tests, which look
# at the file behind its back, and damage it.
wrong_sqlite()
{
    users sqlite3.h | grep -v -e '^harness/store/store\(_[^/]*\)*\.c$' \
        -e '^harness/store/rows\.c$' -e '^tests/harness/store/t_store\(_[^/]*\)*\.c$' \
        -e '^tests/fuzz/fuzz_store\.c$'
}

wrong_jansson()
{
    users jansson.h | grep -v -e '^hazards/json[^/]*\.[ch]$' -e '^traces/json[^/]*\.[ch]$'
}

# Of the files that include <$1...> all but one .c.
second_user()
{
    users "$1" | sed '/\.c$/{1d;}'
}
# With what protoc-c writes, which brings the library's header along.
protobuf='\(protobuf-c/\|.*\.pb-c\.h\)'
wrong_protobuf()
{
    users "$protobuf" | grep -v '^workloads/readers/onnx/file/'
}

# The one test of the binding for C++.
wrong_cxx()
{
    sources | grep '\.cc$' | sed '/^tests\/planner\/alone\/bindings\.cc$/d'
}

# <config.h>, then the file's own header, where there is one.
wrong_order()
{
    sources | grep '\.cc*$' | xargs awk -v headers=" $(sources | grep '\.h$' | tr '\n' ' ')" '
    function judge(file) {
        own = file; sub(/\.cc*$/, ".h", own)
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
        if (FILENAME == "planner/arenaplan.h") guard = "ARENAPLAN_H" # installed
    }
    $0 == "#ifndef " guard { tests++ }
    $0 == "#define " guard { definitions++ }
    END { judge(last) }'
}

# Prints the files that a rule and its words ($@) name, for the trees below.
caught()
{
    "$@" | sed 's/[: ].*//' | sort -u | tr '\n' ' '
}

cd "$top_srcdir" || exit 99
tap_check "there are sources to look at" test "$(sources | wc -l)" -gt 20
tap_check "arrows run one way" tap_nothing wrong_arrows
tap_check "rooms name only rooms above them, and all are named" tap_nothing wrong_rooms
tap_check "project headers are named from the root" tap_nothing missing_headers
tap_check "<glpk.h> only in files named glpk_*.c" tap_nothing wrong_glpk
tap_check "<gsl/...> only in lib/base/rng.c, gsl_*.c and one file of statistics" tap_nothing wrong_gsl
tap_check "<sqlite3.h> only in harness/store/store*.c and rows.c" tap_nothing wrong_sqlite
tap_check "<zlib.h> in one file only" tap_nothing second_user zlib.h
tap_check "<libconfig.h> in one file only" tap_nothing second_user libconfig.h
tap_check "<jansson.h> only in hazards/json* and traces/json*" tap_nothing wrong_jansson
tap_check "<hwloc.h> in one file only" tap_nothing second_user hwloc
tap_check "protobuf-c in what scans and unpacks ONNX files only" tap_nothing wrong_protobuf
tap_check "C++ in one file only" tap_nothing wrong_cxx
tap_check "<config.h> first in each .c, then the file's own header" tap_nothing wrong_order
tap_check "header guards are ARENABENCH_FOLDER_FILE_H" tap_nothing wrong_guards

# A tree that breaks every rule: the checks must see it.
mkdir "$tap_scratch/tree" && cd "$tap_scratch/tree" && mkdir -p lib/base lib/graph \
    lib/place solvers workloads harness/io harness/store harness/sweep \
    tests/lib/base tests/oracles tests/support || exit 99
put()
{
    file=$1
    shift
    printf '%s\n' "$@" >"$file"
}
put lib/base/a.c '#include <config.h>' '#include "solvers/solver.h"'
put lib/base/good.c '#include <config.h>' '' '#include "lib/base/good.h"' '#include <stdio.h>'
put lib/base/good.h '#ifndef ARENABENCH_LIB_BASE_GOOD_H' '#define ARENABENCH_LIB_BASE_GOOD_H' '#endif'
put lib/base/late.c '#include <stdio.h>' '#include <config.h>'
put lib/base/late.h '#ifndef LATE_H' '#define LATE_H' '#include <config.h>' '#endif'
put lib/base/rng.c '#include <config.h>' '#include <gsl/gsl_rng.h>'
put lib/base/glpk_flow.c '#include <config.h>' '#include <glpk.h>'
put lib/place/p.c '#include <config.h>' '#include "lib/graph/network.h"'
put solvers/gsl_anneal.c '#include <config.h>' '#include <gsl/gsl_siman.h>'
put solvers/b.c '#include <config.h>' '#  include "workloads/workload.h"' '#include <glpk.h>'
put solvers/solver.h '#ifndef ARENABENCH_SOLVERS_SOLVER_H' '#define ARENABENCH_SOLVERS_SOLVER_H' '#endif'
put workloads/w.c '#include <config.h>' '#include "lib/base/good.h"' '#include "harness/store/store.h"' \
    '#include <gsl/gsl_sf.h>'
put harness/io/s.c '#include <config.h>' '#include <sqlite3.h>' '#include <gsl/gsl_statistics.h>'
put harness/sweep/c1.c '#include <config.h>' '#include <libconfig.h>'
put harness/io/z1.c '#include <config.h>' '#include <zlib.h>'
put harness/sweep/z2.c '#include <config.h>' '#include <zlib.h>'
put harness/io/j.c '#include <config.h>' '#include <jansson.h>'
put harness/sweep/c2.c '#include <config.h>' '#include <libconfig.h>'
put workloads/p1.c '#include <config.h>' '#include "workloads/x.pb-c.h"'
put workloads/vision.cc '#include <config.h>'
put tests/support/s.c '#include <config.h>' '#include "tests/oracles/o.h"'
put tests/oracles/o.c '#include <config.h>' '#include "tests/lib/base/t.h"'
put tests/lib/base/t.c '#include <config.h>' '#include "tests/support/s.h"' '#include "solvers/solver.h"'
put workloads/p2.c '#include <config.h>' '#include <protobuf-c/protobuf-c.h>'
tap_check "wrong arrows are seen" tap_same "$(caught wrong_arrows)" \
    "lib/base/a.c lib/place/p.c solvers/b.c tests/oracles/o.c tests/support/s.c workloads/w.c "
tap_check "absent headers are seen" tap_same "$(caught missing_headers)" \
    "lib/place/p.c solvers/b.c tests/lib/base/t.c tests/oracles/o.c tests/support/s.c workloads/w.c "
tap_check "<glpk.h> elsewhere is seen" tap_same "$(caught wrong_glpk)" "solvers/b.c "
tap_check "a second file with GSL is seen" tap_same "$(caught wrong_gsl)" "workloads/w.c "
tap_check "<sqlite3.h> elsewhere is seen" tap_same "$(caught wrong_sqlite)" "harness/io/s.c "
tap_check "a second file with zlib is seen" tap_same "$(caught second_user zlib.h | wc -w)" 1
tap_check "a second file with libconfig is seen" tap_same "$(caught second_user libconfig.h)" "harness/sweep/c2.c "
tap_check "<jansson.h> elsewhere is seen" tap_same "$(caught wrong_jansson)" "harness/io/j.c "
tap_check "protobuf-c elsewhere is seen" tap_same "$(caught wrong_protobuf)" "workloads/p1.c workloads/p2.c "
tap_check "C++ elsewhere is seen" tap_same "$(caught wrong_cxx)" "workloads/vision.cc "
tap_check "wrong order is seen" tap_same "$(caught wrong_order)" "lib/base/late.c lib/base/late.h "
tap_check "wrong guards are seen" tap_same "$(caught wrong_guards)" "lib/base/late.h "
mkdir attic
put attic/x.c '#include <config.h>'
sources_before=$(sources)
sources()
{
    echo "$sources_before"
    echo attic/x.c
}
tap_check "a room that is in no list is seen" tap_same "$(wrong_rooms)" "attic: not in the list of rooms"
arrows="$arrows
lib/later: harness/nowhere"
tap_check "and one that names a room below it" tap_same "$(wrong_rooms | head -n 1)" \
    "lib/later: harness/nowhere is not above it"
tap_done
