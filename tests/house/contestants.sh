#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How it is found what a contestant is made of (build-aux/contestant-files), and its
# checksum from that (build-aux/contestant-checksums), on a project with a few lines for
# each rule.  tests/house/identity.sh asks for the project itself.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
export LC_ALL=C
. "${top_srcdir:?}/tests/support/tap.sh"

setting()
{
    sed -n "s/^$1 = *//p" "${top_builddir:?}/Makefile"
}

compiler=$(setting CC)
nm=$(setting NM)
contestants='s/alone.c s/plain.c s/by-table.c s/all.c s/weak.c'
others='s/count.c base/first.c base/named.c base/table.c base/unused.c base/weak1.c base/weak2.c'

# contestant NAME EXPRESSION [HEADER]: s/NAME.c, which calls what HEADER declares.
contestant()
{
    symbol=solver_$(echo "$1" | tr - _)
    echo '#include "s/solver.h"'
    [ $# -eq 2 ] || echo "#include \"$3\""
    echo "extern const struct solver $symbol;"
    echo "static int f(void) { return $2; }"
    echo "const struct solver $symbol = {f};"
}

# The project: what each contestant is made of is in the function expected.
write_project()
{
    mkdir -p s base
    echo 'struct solver { int (*f)(void); };' >s/solver.h
    echo 'int count(void);' >s/count.h
    printf '#include "s/count.h"\n#include "s/solver.h"\nextern const struct solver *solver_registry[];
int count(void) { return solver_registry[0] != 0; }\n' >s/count.c
    for name in first named weak; do
        echo "int $name(void);" >base/$name.h
    done
    echo 'extern int (*const table[])(void);' >base/table.h
    # The first header of a file need not be its own.
    printf '#include "base/named.h"\n#include "base/first.h"\nint first(void) { return 1; }\n' >base/first.c
    printf '#include <config.h>\n#include "base/named.h"\nint named(void) { return HAVE_THAT; }\n' >base/named.c
    printf '#include "base/table.h"\n#include "base/named.h"\nint (*const table[])(void) = {named};\n' >base/table.c
    # It names a header of others', but no symbol leads to it.
    printf '#include "base/table.h"\nint unused(void) { return table[0](); }\n' >base/unused.c
    for i in 1 2; do
        printf '#include "base/weak.h"\n__attribute__((weak)) int weak(void) { return %d; }\n' $i >base/weak$i.c
    done
    contestant alone 0 >s/alone.c
    contestant plain 'first()' base/first.h >s/plain.c
    contestant by-table 'table[0]()' base/table.h >s/by-table.c
    contestant all 'count()' s/count.h >s/all.c
    contestant weak 'weak()' base/../base/weak.h >s/weak.c
}

# NAME FILE... by hand.
expected()
{
    cat <<'END'
alone s/alone.c s/solver.h
plain base/first.c base/first.h base/named.h s/plain.c s/solver.h
by-table base/named.c base/named.h base/table.c base/table.h s/by-table.c s/solver.h
all base/first.c base/first.h base/named.c base/named.h base/table.c base/table.h base/weak.h base/weak1.c s/all.c s/alone.c s/by-table.c s/count.c s/count.h s/plain.c s/solver.h s/weak.c
weak base/weak.h base/weak1.c s/solver.h s/weak.c
END
}

# build SRCDIR [FILE...]: objects and dependency files in the current folder.
build()
{
    source=$1
    shift
    # shellcheck disable=SC2086 # words
    [ $# -gt 0 ] || set -- $contestants $others
    [ -f config.h ] || printf '#define VERSION "1"\n#define HAVE_THAT 1\n#define HAVE_OTHER 1\n' >config.h
    for file; do
        stem=${file%.c}
        mkdir -p "${stem%/*}/.deps"
        $compiler -I. -I"$source" -O1 -MD -MP -MF "${stem%/*}/.deps/${stem##*/}.Po" \
            -c -o "$stem.o" "$source/$file" || return
    done
}

objects_of()
{
    for file; do
        printf '%s ' "${file%.c}.o"
    done
}

# files SRCDIR [NM [FLAGS]] [FILE...]: the list, with the objects of FILEs too; FLAGS are those of base.
files()
{
    source=$1
    with_nm=${2:-$nm}
    flags=${3:-G}
    [ $# -lt 3 ] || shift
    [ $# -lt 2 ] || shift
    shift
    # shellcheck disable=SC2046,SC2086 # words
    "$top_srcdir/build-aux/contestant-files" "$source" "$with_nm" .deps contestants solver "$contestants" \
        objects F "$(objects_of $(echo $contestants $others | tr ' ' '\n' | grep ^s/))" \
        objects "$flags" "$(objects_of $(echo $others | tr ' ' '\n' | grep ^base/) "$@")"
}

# The lists of contestants' files in LIST ($1) as expected has them.
found()
{
    for file in $contestants; do
        name=${file##*/}
        echo "${name%.c} $(awk -F '\t' -v file="$file" '$1 == file && $2 == "file" { print $3 }' "$1" |
            tr '\n' ' ' | sed 's/ $//')"
    done
}

# same_elsewhere FOLDER SRCDIR: the list of a build in FOLDER is that of the first.
same_elsewhere()
{
    (
        mkdir -p "$tap_scratch/$1" && cd "$tap_scratch/$1" && build "$2" && files "$2" >list &&
            cmp list "$tap_scratch/project/list"
    )
}

# Names of contestants for which the lists $1 and $2 differ.
unlike()
{
    diff "$1" "$2" | sed -n 's|^[<>] s/\([^.]*\)\.c.*|\1|p' | sort -u | tr '\n' ' '
}

# fails TEXT COMMAND...: with a message that has TEXT, and nothing on standard output.
fails()
{
    text=$1
    shift
    if "$@" >out 2>err; then
        echo "it succeeded"
        return 1
    fi
    [ ! -s out ] && grep -F -e "$text" err >/dev/null || {
        cat out err
        return 1
    }
}

sums()
{
    # shellcheck disable=SC2086 # words
    "$top_srcdir/build-aux/contestant-checksums" . list solver s/solver.h ${1:-$contestants}
}

cd "$tap_scratch" && mkdir project && cd project && write_project || exit 99
tap_check "the project compiles" build .
files . >list
tap_check "what each contestant is made of" tap_same "$(found list)" "$(expected)"
tap_check "every object is there with its own flags" tap_same \
    "$(sed -n "s/^s.plain.c$(printf '\t')compiled$(printf '\t')//p" list | tr '\n' ' ')" "base/first.c G s/plain.c F "

tap_check "the same in a folder below the sources" same_elsewhere project/below ..
tap_check "the same in one beside them" same_elsewhere beside ../project
tap_check "the same by an absolute path" same_elsewhere absolute "$tap_scratch/project"
ln -s project "$tap_scratch/link"
tap_check "the same through a symbolic link" same_elsewhere linked "$tap_scratch/link"
tap_check "the same in a folder behind one" same_elsewhere link/behind ..
# ccache makes paths relative where it is told to.
mkdir "$tap_scratch/rewritten" && cd "$tap_scratch/rewritten" && build ../project >out 2>&1
files "$tap_scratch/project" >list
tap_check "the same where a wrapper rewrote the paths" cmp list "$tap_scratch/project/list"

cd "$tap_scratch/project" || exit 99
sed 's/VERSION "1"/VERSION "2"/; /OTHER/d' config.h >config.new
cp config.h config.old && mv config.new config.h
files . >other
tap_check "neither the version nor settings that nobody names matter" cmp list other
sed 's/THAT 1/THAT 2/' config.old >config.h
files . >other
tap_check "a setting matters to those who name it" tap_same "$(unlike list other)" "all by-table "
mv config.old config.h
files . "$nm" H >other
tap_check "flags matter to what is compiled with them" tap_same "$(unlike list other)" "all by-table plain weak "

printf '#include "base/first.h"\nint first(void) { return 2; }\n' >base/again.c
printf 'int unused(void) { return 2; }\n' >base/again_unused.c
build . base/again.c base/again_unused.c
tap_check "a symbol that is defined twice is refused" fails \
    'first is defined in base/first.o and in base/again.o; expected one' files . "$nm" G base/again.c
files . "$nm" G base/again_unused.c >other
tap_check "not where nobody asks for it" cmp list other
echo '# dummy' >base/.deps/again_unused.Po
files . "$nm" G base/again_unused.c >other
tap_check "a dependency file that nobody needs may be empty" cmp list other
cp base/.deps/first.Po kept
echo '# dummy' >base/.deps/first.Po
tap_check "one that is needed may not" fails 'base/.deps/first.Po: no rule for base/first.o' files .
rm base/.deps/first.Po
tap_check "nor be absent" fails 'base/.deps/first.Po: no rule for base/first.o' files .
sed 's|: base/first.c|: /nowhere/first.c|' kept >base/.deps/first.Po
tap_check "a source has to be one of the project's" fails \
    'base/.deps/first.Po: the source /nowhere/first.c is in neither' files .
mv kept base/.deps/first.Po
tap_check "a contestant has to be defined" fails 'c: no object defines solver_' files . true
contestants="$contestants s/elsewhere.c"
contestant elsewhere 0 >base/unused.c
contestant another 0 >s/elsewhere.c
build . base/unused.c s/elsewhere.c
tap_check "and in its own file" fails \
    'base/unused.c defines solver_elsewhere; expected s/elsewhere.c' files .
contestants=${contestants% *}

printf '#include <stddef.h>\nstruct solver_entry { const struct solver *solver; const char *checksum; };\n' >>s/solver.h
sums >before
cp before s/registry.c
tap_check "checksums make a registry that compiles" build . s/registry.c
tap_check "it has each contestant with its own checksum" tap_same "$(grep -c '^    {&solver_[a-z_]*, "[0-9a-f]\{16\}"},$' before)" 5
tap_check "different ones" tap_same "$(grep '{&' before | cut -d '"' -f 2 | sort -u | wc -l)" 5
echo '/* changed */' >>base/table.c
sums >after
tap_check "they follow what is in the files" tap_same \
    "$(diff before after | sed -n 's/^> .*solver_\([a-z_]*\).*/\1/p' | tr '\n' ' ')" "by_table all "
sed 's/ G$/ H/' list >other && mv other list
sums 's/alone.c s/weak.c' >after
tap_check "and flags" tap_same "$(diff before after | grep -c '^> .*solver_weak')$(grep '{&solver_alone' before)" \
    "1$(grep '{&solver_alone' after)"
tap_check "a contestant that the list lacks is refused" fails 'the list has nothing for s/count.c' sums s/count.c
rm base/first.c
tap_check "so is a file that is gone" fails base/first.c sums
tap_done
