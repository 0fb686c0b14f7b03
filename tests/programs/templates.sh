#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The templates in programs/, each where its language is installed: first fit by size as ours, then
# a search that is the same in all of them.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
[ -z "$(tap_setting SAN_FLAGS)" ] || tap_skip_all "built with sanitizers: these programs have none"

arenabench=$(cd "${top_builddir:?}" && pwd)/arenabench
cd "$tap_scratch" || exit 99
unset ARENABENCH_DATA ARENABENCH_SEED ARENABENCH_TIME_LIMIT ARENABENCH_WORK_LIMIT
"$arenabench" lifetimes uniform:n=60 >many.csv || exit 99

# One with empty buffers, one with none, one with one.
printf 'id,lower,upper,size\na b,0,2,10\nnone,0,9,0\nb,2,4,7\nc,1,3,5\n' >some.csv
printf 'id,lower,upper,size\nnone,0,9,0\n' >none.csv
printf 'id,lower,upper,size\nonly,-3,9,5\n' >one.csv

as_ours()
{
    tap_exits 0 "$arenabench" agree first-fit-by-size "exec:$1 0" 40
}

small()
{
    for file in some none one; do
        tap_exits 0 "$arenabench" solve $file.csv --solver "exec:$1" || return 1
    done
}

# All from one call: $1 stands for a program and its words.
plans()
{
    $1 "${2-}" <many.csv | grep -c '^id,offset$'
}

better_and_better()
{
    tap_exits 0 "$arenabench" solve many.csv --solver "exec:$1 300" && [ "$(plans "$1" 300)" -gt 1 ] &&
        tap_same "$(plans "$1" 0)" 1
}

seeded()
{
    one=$($1 300 <many.csv)
    tap_same "$(ARENABENCH_SEED=1 $1 300 <many.csv)" "$one" &&
        [ "$(ARENABENCH_SEED=4294967295 $1 300 <many.csv)" != "$one" ]
}

limited()
{
    tap_same "$(ARENABENCH_WORK_LIMIT=100 $1 <many.csv)" "$($1 100 <many.csv)" &&
        ARENABENCH_TIME_LIMIT=0.3 timeout 300 $1 1000000000 <many.csv >/dev/null
}

same_search()
{
    tap_exits 0 "$arenabench" agree "exec:$1 50" "exec:$2 50" 20 --seed 7
}

# template LANGUAGE COMMAND: what holds for each of them, and that it does as the one before.
before=
template()
{
    tap_check "$1: first fit by size, as ours" as_ours "$2"
    tap_check "$1: small instances, and empty buffers" small "$2"
    tap_check "$1: better and better plans" better_and_better "$2"
    tap_check "$1: the seed counts" seeded "$2"
    tap_check "$1: limits count" limited "$2"
    [ -z "$before" ] || tap_check "$1: the same search as $before" same_search "$2" "$before"
    before=$2
}

if python3 -c '' 2>/dev/null; then
    cp "$top_srcdir/programs/first-fit.py" .
    template Python 'python3 first-fit.py'
else
    tap_skip "the template in Python: no python3"
fi
if g++ --version >/dev/null 2>&1; then
    tap_check "C++: compiled without a warning" \
        tap_exits 0 g++ -std=c++17 -Wall -Wextra -Werror -O2 -o first-fit-cpp \
        "$top_srcdir/programs/first-fit.cpp"
    template C++ ./first-fit-cpp
else
    tap_skip "the template in C++: no g++"
fi
if rustc --version >/dev/null 2>&1; then
    tap_check "Rust: compiled without a warning" \
        tap_exits 0 rustc -D warnings -O -o first-fit-rust "$top_srcdir/programs/first-fit.rs"
    template Rust ./first-fit-rust
else
    tap_skip "the template in Rust: no rustc"
fi
tap_done
