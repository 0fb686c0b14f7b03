#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands of the README's first block as they stand there, one after the other in a fresh clone and
# one job at a time.  The clone has one small experiment, make is told of one test, and nothing is
# optimised; else nothing is played by a stand-in.  That each command works where none was before it:
# tests/house/pristine.sh and .ci/run.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
clone="$tap_scratch/a clone"

git -c safe.directory='*' clone -q "$top_srcdir" "$clone" 2>/dev/null || {
    tap_skip "not a clone"
    tap_done
}
cd "$clone" || exit 99
# In the state that this is in, committed or not.
git -C "$top_srcdir" -c safe.directory='*' diff --binary HEAD | git apply --allow-empty || exit 99
sed -n '/^```sh$/,/^```$/p' README.md | sed '1d; /^```$/,$d; s/ *#.*//' >"$tap_scratch/commands"
cat >experiments/gap.cfg <<'END'
name = "gap";
title = "First screen";
figures = ["gap"];
solvers = ("naive", "greedy-by-size", "branch-and-bound");
quick: { workloads = ("uniform:n=12,seed={1..4}"); time_limit_s = 3; budget_s = 10; };
END
find experiments -name '*.cfg' ! -name gap.cfg -delete
sed -i '/experiments\/.*\.cfg/{
    /gap/!d
    s/ \\$//
}' experiments/local.mk

# typed COMMAND: in a new user's environment, but for what keeps it short.
typed()
{
    env -i PATH="$PATH" HOME="$tap_scratch" LANG=C.UTF-8 TERM=dumb CFLAGS=-O0 \
        MAKEFLAGS='TESTS=tests/lib/base/t_base.t' sh -c "$1" >"$tap_scratch/typed" 2>&1 </dev/null || {
        tail -n 30 "$tap_scratch/typed"
        return 1
    }
}

count=0
while read -r command; do
    count=$((count + 1))
    tap_check "$command" typed "$command"
    case $command in
        *'make arenabench'*)
            tap_check "the program is there" ./arenabench --version
            tap_check "and nothing else was compiled" test ! -e tests/libtap.a
            ;;
        ./run_sweep*) tap_check "the figure is there" test -s results/quick/figures/gap.svg ;;
        'make check'*)
            tap_check "one line a test" tap_says "$tap_scratch/typed" '^PASS: tests/lib/base/t_base\.t: [0-9]+ \['
            ;;
    esac
done <"$tap_scratch/commands"
tap_check "three commands" tap_same "$count" 3
tap_done
