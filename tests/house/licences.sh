#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each source names its licence: libarenaplan's Apache-2.0, all others GPL-3.0-or-later.  What the
# library is made of includes nothing but itself.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
top_builddir=${top_builddir:?}
tag=SPDX-License-Identifier

# Sources; data, figures and texts have their licence from REUSE.toml.
sources()
{
    {
        if [ -e .git ] && git ls-files >"$tap_scratch/.files" 2>/dev/null; then
            cat "$tap_scratch/.files"
        else
            # A release: without what is generated, and what automake brings.
            find . -name _build -prune -o -type f ! -path './tests/fuzz/corpus/*' -print |
                sed 's|^\./||' | grep -v -e '/[^/]*\.pb-c\.[ch]$' -e '/registry\.c$' \
                -e '/buildinfo\.h$' -e '^config\.h$' -e '^amalgamation/' -e '^aclocal\.m4$' \
                -e '^build-aux/tap-driver\.sh$'
        fi
    } | grep -v -e '^tests/fuzz/corpus/' -e '^results/' -e '^suite/' |
        grep -e '\.\(c\|h\|cc\|hpp\|py\|sh\|awk\|mk\|am\|ac\)$' -e '^m4/arenabench\.m4$' | sort
}

# The files of the library, its bindings, examples and templates.
library()
{
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$top_builddir" arenaplan-files 2>/dev/null
    sources | grep -e '^bindings/' -e '^examples/' -e '^planner/alone/'
}

# FILE LICENCE of each source, by the first lines; none: FILE alone.
named()
{
    sources | tr '\n' '\0' | xargs -0 awk -v tag="$tag" '
    function tell() { if (file != "") print file (licence != "" ? " " licence : "") }
    FNR == 1 { tell(); file = FILENAME; licence = "" }
    FNR <= 4 && index($0, tag ": ") { licence = $0; sub(".*" tag ": ", "", licence); sub(/ .*/, "", licence) }
    END { tell() }'
}

wrong_licences()
{
    library | sort -u >"$tap_scratch/.library"
    named | awk -v list="$tap_scratch/.library" '
    BEGIN { while ((getline file <list) > 0) ours[file] = 1 }
    {
        want = $1 in ours ? "Apache-2.0" : "GPL-3.0-or-later"
        if ($2 != want) print $1 ": licence " ($2 == "" ? "none" : $2) ", expected " want
    }'
}

# Files of the library that include others of the project.
wrong_includes()
{
    library | grep '\.[ch]$' | sort -u >"$tap_scratch/.library"
    tr '\n' '\0' <"$tap_scratch/.library" | xargs -0 awk -v list="$tap_scratch/.library" '
    BEGIN { while ((getline file <list) > 0) ours[file] = 1 }
    /^#include "/ { split($0, part, "\""); if (!(part[2] in ours)) print FILENAME " includes " part[2] }'
}

cd "$top_srcdir" || exit 99
tap_check "there are sources to look at" test "$(sources | wc -l)" -gt 500
tap_check "and the library's among them" test "$(library | wc -l)" -gt 80
tap_check "each names the licence that it is under" tap_nothing wrong_licences
tap_check "the library's files include the library's alone" tap_nothing wrong_includes
tap_check "the texts are there" test -s COPYING -a -s LICENSES/Apache-2.0.txt

# What breaks the rules is seen.
mkdir -p "$tap_scratch/tree/lib" "$tap_scratch/tree/examples" && cd "$tap_scratch/tree" || exit 99
printf '/* %s: GPL-3.0-or-later */\n#include "lib/b.h"\n' "$tag" >lib/a.c
printf '/* Nothing.  */\n' >lib/b.h
printf '/* %s: GPL-3.0-or-later */\n#include "lib/b.h"\n' "$tag" >examples/c.c
library()
{
    echo lib/a.c
    sources | grep '^examples/'
}
tap_check "a wrong licence, and none, are seen" tap_same "$(wrong_licences | sed 's/:.*//' | tr '\n' ' ')" \
    "examples/c.c lib/a.c lib/b.h "
tap_check "an include of something else is seen" tap_same "$(wrong_includes | sed 's/ .*//' | sort | tr '\n' ' ')" \
    "examples/c.c lib/a.c "
tap_done
