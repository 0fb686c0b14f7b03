#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that readers open: none stays open, and a plan goes into a copy of a model.
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

arenabench=${top_builddir:?}/arenabench
cd "${tap_scratch:?}" || exit 99

# What is read with room for few files that are open at once.
# shellcheck disable=SC3045 # dash and bash have it
few()
{
    (ulimit -n 24 && tap_exits 0 "$arenabench" bounds --format csv "$@")
}
set --
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
    printf 'id,lower,upper,size\na,0,2,%d\n' "$i" >"$i.csv"
    set -- "$@" "$i.csv"
done
tap_check "files of CSV are closed" few "$@"
tap_check "... and read, all of them" tap_same "$(sed 1d out | wc -l)" 24

cp "$top_srcdir/tests/fuzz/corpus/tflite/plan" model.tflite
tap_check "a plan goes into a copy of a model" tap_exits 0 "$arenabench" solve model.tflite \
    --solver naive --output plan.csv --export copy.tflite
tap_check "... and is valid there" tap_exits 0 "$arenabench" verify model.tflite copy.tflite
said=$(cat out)
tap_check "... and as a file of its own" tap_exits 0 "$arenabench" verify model.tflite plan.csv
tap_check "... and the same" tap_same "$said" "$(cat out)"
tap_done
