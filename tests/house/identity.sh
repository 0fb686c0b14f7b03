#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a contestant's checksum covers: exactly the files that the linked program reaches
# through it.  The linker itself says which objects these are, and the preprocessor
# what they include; neither asks nm or the dependency files of the build, which
# build-aux/contestant-files goes by.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
export LC_ALL=C
. "${top_srcdir:?}/tests/support/tap.sh"
tap_whole_tier_only "what checksums cover"
tab=$(printf '\t')

# What the Makefile makes of TEXT ($1).
made_of()
{
    printf 'ask:\n\t@echo '\''%s'\''\n' "$1" >"$tap_scratch/ask.mk"
    MAKEFLAGS='' MAKELEVEL='' make -s -f Makefile -f "$tap_scratch/ask.mk" ask
}

cd "${top_builddir:?}" || exit 99
# shellcheck disable=SC2016 # they are make's
{
    libraries=$(made_of '$(PROJECT_LIBS)')
    link=$(made_of '$(CC) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS)')
    others=$(made_of '$(LDADD) $(LIBS)')
    sources=$(made_of '$(top_srcdir)')
    preprocess=$(made_of '$(COMPILE) -MM -DKERNEL_ISA=generic -DKERNEL_VECTOR=4')
}

# FILE SYMBOL of each contestant: solvers/a-b.c is solver_a_b.
for kind in solver conv_kernel; do
    sed -n "s/^extern const struct $kind \(${kind}_.*\);/\1/p" "${kind#conv_}s/registry.c" |
        while read -r symbol; do
            name=$(echo "${symbol#"${kind}"_}" | tr _ -)
            (cd "$top_srcdir" && find "${kind#conv_}s" -name "$name.c" | sed "s/\$/ $symbol/")
        done
done >"$tap_scratch/contestants"
# What ranks the settings of a kernel has a checksum, too.
sed -n 's/^extern const struct tuner \(.*\);/kernels\/model\/tune.c \1/p' kernels/model/registry.c \
    >>"$tap_scratch/contestants"

# And so has what runs networks.
sed -n 's/^extern const struct runner \(.*\);/runtime\/run.c \1/p' runtime/registry.c \
    >>"$tap_scratch/contestants"

# And planners for several memories, all of them one.
sed -n 's/^extern const struct splitter_set \(.*\);/memories\/splitters.c \1/p' memories/registry.c \
    >>"$tap_scratch/contestants"

# ARCHIVE(MEMBER) of the project that the linker takes for SYMBOL ($1).
linked()
{
    # shellcheck disable=SC2086 # words
    $link -s -o "$tap_scratch/linked" "$tap_scratch/main.o" "-Wl,-u,$1" \
        "-Wl,-Map=$tap_scratch/map" $others || return
    awk -v libraries=" $libraries " '
    /^Archive member included/ { inside = 1; next }
    inside && $1 == "" { if (any) exit; next }
    inside { any = 1 }
    inside && /^[^ ]/ {
        archive = $1
        sub(/\(.*/, "", archive)
        if (index(libraries, " " archive " ")) print $1
    }' "$tap_scratch/map"
}

# The source of ARCHIVE(MEMBER) ($1): where an object with these contents lies.
source_of()
{
    archive=${1%%(*}
    member=${1##*(}
    member=${member%)}
    ar p "$archive" "$member" >"$tap_scratch/member" || return
    find "${archive%%/*}" -name "$member" | while read -r object; do
        cmp -s "$object" "$tap_scratch/member" || continue
        stem=${object##*/}
        stem=${stem%.o}
        echo "${object%/*}/${stem#lib*_a-}.c"
        break
    done
}

# SOURCE FILE for each file of the project that a source reads.
read_by()
{
    while read -r source; do
        [ ! -f "$sources/$source" ] || source=$sources/$source
        printf '%s\0' "$source"
    done >"$tap_scratch/paths"
    # shellcheck disable=SC2086 # words
    xargs -0 $preprocess <"$tap_scratch/paths" >"$tap_scratch/rules" || return
    awk -v sources="$sources/" '
    {
        for (i = 1; i <= NF; i++) {
            name = $i
            if (index(name, sources) == 1) name = substr(name, length(sources) + 1)
            sub(/^\.\//, "", name)
            if (name ~ /:$/) { source = ""; continue }
            if (name == "\\") continue
            if (source == "") source = name
            if (name !~ /^\// && name != "config.h") print source " " name
        }
    }' "$tap_scratch/rules"
}

# What the checksums should cover, as FILE <tab> NAME.
echo 'int main(void) { return 0; }' >"$tap_scratch/main.c"
$(made_of "\$(CC)") -c -o "$tap_scratch/main.o" "$tap_scratch/main.c" || exit 99
while read -r file symbol; do
    linked "$symbol" | sed "s|^|$file |"
done <"$tap_scratch/contestants" >"$tap_scratch/members"
grep -q '^Archive member included' "$tap_scratch/map" ||
    tap_skip_all "the linker does not say which members of archives it takes"
cut -d ' ' -f 2 "$tap_scratch/members" | sort -u | while read -r member; do
    echo "$member $(source_of "$member")"
done >"$tap_scratch/sources"
cut -d ' ' -f 2 "$tap_scratch/sources" | sort -u | read_by >"$tap_scratch/reads"
awk -v scratch="$tap_scratch" '
BEGIN {
    while ((getline <(scratch "/sources")) > 0) source[$1] = $2
    while ((getline <(scratch "/reads")) > 0) reads[$1] = reads[$1] " " $2
    while ((getline <(scratch "/members")) > 0) {
        n = split(reads[source[$2]], name, " ")
        for (i = 1; i <= n; i++) print $1 "\t" name[i]
    }
}' | grep -v '/registry\.c$' | sort -u >"$tap_scratch/wanted" # they hold what comes out
awk -F '\t' '$2 == "file" { print $1 "\t" $3 }' contestants.list | sort >"$tap_scratch/listed"

# Where the checksums are made again, of sources that may be changed.
(cd "$top_srcdir" && find lib planner runtime solvers memories kernels -name '*.[ch]') |
    grep -v '/registry\.c$' | sort >"$tap_scratch/files"
mkdir "$tap_scratch/copy" && (cd "$top_srcdir" && xargs tar cf - <"$tap_scratch/files") |
    tar xf - -C "$tap_scratch/copy" || exit 99
chmod -R u+w "$tap_scratch/copy"

# FILE CHECKSUM of each contestant.
sums()
{
    cut -d ' ' -f 1 "$tap_scratch/contestants" | xargs "$top_srcdir/build-aux/contestant-checksums" \
        "$tap_scratch/copy" contestants.list solver solvers/solver.h >"$tap_scratch/registry" || return
    sed -n 's/^    {&.*, "\(.*\)"},/\1/p' "$tap_scratch/registry" |
        paste -d ' ' "$tap_scratch/contestants" - | cut -d ' ' -f 1,3 | sort
}

# Contestants whose checksum is another when FILE ($1) has one more comment.
changed_with()
{
    cp "$tap_scratch/copy/$1" "$tap_scratch/kept"
    echo '/* changed */' >>"$tap_scratch/copy/$1"
    sums >"$tap_scratch/after"
    cp "$tap_scratch/kept" "$tap_scratch/copy/$1"
    comm -13 "$tap_scratch/before" "$tap_scratch/after" | cut -d ' ' -f 1
}

# Every third file of each folder.
sample()
{
    awk '{ folder = $0; sub("/[^/]*$", "", folder) } count[folder]++ % 3 == 0' "$tap_scratch/files"
}

# Files of FOLDER ($1) with which other checksums change than those of the contestants
# that the program reaches them through.
wrong_changes()
{
    sample | grep "^$1/[^/]*$" | while read -r file; do
        changed_with "$file" >"$tap_scratch/changed"
        sed -n "s|^\(.*\)$tab$file\$|\1|p" "$tap_scratch/wanted" | sort |
            comm -3 - "$tap_scratch/changed" | sed "s|^|$file: |"
    done
}

count_lines()
{
    "$@" | wc -l
}

tap_check "there are contestants, each linked from its own file" tap_same \
    "$(awk '$1 != last { print $1; last = $1 }' "$tap_scratch/members")" \
    "$(cut -d ' ' -f 1 "$tap_scratch/contestants")"
tap_check "each object's source is found" tap_nothing awk 'NF != 2' "$tap_scratch/sources"
tap_check "the list has all files that the program reaches, and no other" \
    diff "$tap_scratch/wanted" "$tap_scratch/listed"
sums >"$tap_scratch/before"
tap_check "the same sources have the same checksums" tap_same "$(sums)" "$(cat "$tap_scratch/before")"
tap_check "no two contestants have the same" tap_nothing sh -c \
    'cut -d " " -f 2 "$1" | sort | uniq -d' sh "$tap_scratch/before"
tap_check "they are those of the program" tap_same \
    "$(sed -n 's/^    {&solver_.*, "\(.*\)"},/\1/p' solvers/registry.c | sort)" \
    "$(sed -n 's/^solvers.* //p' "$tap_scratch/before" | sort)"
tap_check "a third of the files are at least 40" test "$(count_lines sample)" -ge 40
sample | sed 's|/[^/]*$||' | sort -u >"$tap_scratch/folders"
while read -r folder; do
    tap_check "files of $folder are in the checksums of who reaches them, and of no other" \
        tap_nothing wrong_changes "$folder"
done <"$tap_scratch/folders"
tap_check "training graphs are no part of a planner" tap_nothing changed_with lib/graph/train.c
tap_check "a planner's file is in its checksum only" tap_same "$(changed_with solvers/naive.c)" \
    solvers/naive.c
tap_check "who finds a planner does not change it" tap_nothing changed_with solvers/find.c
tap_done
