#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-aux/buildinfo: the commit and whether it was left clean, at each build.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

buildinfo=$(cd "$top_srcdir" && pwd)/build-aux/buildinfo
version=$(cd "$top_srcdir" && pwd)/build-aux/git-version
cd "$tap_scratch" || exit 99
command -v git >/dev/null || tap_skip_all "git is not installed"

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
mygit()
{
    git -C clone -c user.name=n -c user.email=e@example.org "$@"
}

# Runs it as make does.
build()
{
    clone/build-aux/buildinfo clone info.h cc "-O2 -DX=\"a b\"" "--with='x\\y'"
}

# What NAME is defined as.
value()
{
    sed -n "s/^#define BUILD_$1 \"\\(.*\\)\"\$/\\1/p" info.h
}

# The file as it is on the disk: another one has another number or time.
identity()
{
    stat -c '%i %y' info.h
}

mkdir -p clone/build-aux clone/lib && echo one >clone/lib/a.c && cp "$buildinfo" "$version" clone/build-aux && echo one >clone/file || exit 99
git init -q clone && mygit add . && mygit commit -q -m one || exit 99
tap_check "the identity of a build is written" build
commit=$(mygit rev-parse HEAD)
tap_check "... with the commit" tap_same "$(value COMMIT) $(value CHANGES)" "$commit none"
tap_check "... a version that says so too" tap_same "$(value VERSION)" "0.1.0-$(echo "$commit" | cut -c 1-7)"
tap_check "... and flags with quotes" tap_same "$(value CFLAGS)" '-O2 -DX=\"a b\"'
tap_check "... and backslashes" tap_same "$(value CONFIGURE)" "--with='x\\\\y'"
before=$(identity)
touch clone/file
tap_check "the next build" build
tap_check "... leaves the file alone: nothing is compiled again" tap_same "$(identity)" "$before"
echo two >clone/file
tap_check "a build with a change that is in no commit" build
tap_check "... is dirty" tap_same "$(value COMMIT)" "$commit-dirty"
tap_check "... though not in what it is compiled from" tap_same "$(value CHANGES)" none
tap_check "... its version too" tap_same "$(value VERSION)" "0.1.0-$(echo "$commit" | cut -c 1-7)-dirty"
echo two >clone/lib/a.c
tap_check "a build with a change of the sources" build
first=$(value CHANGES)
tap_check "... says which" test "$first" != none
echo three >clone/lib/a.c
tap_check "one with another change" build
tap_check "... is another build" test "$(value CHANGES)" != "$first"
echo two >clone/lib/a.c
tap_check "one with the first again" build
tap_check "... is the first again" tap_same "$(value CHANGES)" "$first"
mygit add file lib/a.c
tap_check "with a change that only git add knows" build
tap_check "... it is dirty as well" tap_same "$(value COMMIT)" "$commit-dirty"
mygit commit -q -m two
tap_check "a build of the commit with it" build
tap_check "... is clean" tap_same "$(value COMMIT) $(value CHANGES)" "$(mygit rev-parse HEAD) none"
echo new >clone/untracked
tap_check "a file that git does not know" build
tap_check "... is no part of the build" tap_same "$(value COMMIT)" "$(mygit rev-parse HEAD)"
echo 1.2 >clone/.tarball-version
tap_check "a release" build
tap_check "... is of no commit" tap_same "$(value COMMIT) $(value VERSION)" "none 1.2"
tap_done
