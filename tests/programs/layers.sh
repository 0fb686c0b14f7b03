#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Layers beside a library: the model of one layer that is written, with a stand-in for the library
# that says how long it took; and the libraries that are here, which read the same model.
# shellcheck disable=SC2317 # functions are called through tap_check
# shellcheck disable=SC2016 # what stands in single quotes is for the stand-in
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

ARENABENCH=$(cd "${top_builddir:?}" && pwd)/arenabench
export ARENABENCH
layers=$(cd "$top_srcdir" && pwd)/programs/layers-beside.py
cd "$tap_scratch" || exit 99
python3 -c '' || tap_skip_all "there is no python3"
"$ARENABENCH" list readers | grep -q '^onnx' || tap_skip_all "no ONNX files in this build"

# All of its rounds take half a second; its output is of zeros.
cat >standin <<'END'
library=a\ stand-in
echo "library $library"
while read -r word value kind shape name; do
    case $word in
        rounds) yes "seconds 0.5" | head -n "$value" ;;
        input) echo "in $kind $shape $name" >>asked ;;
        output) echo "out $kind $shape $name" >>asked
            head -c "$BYTES" /dev/zero >"$value" ;;
    esac
done
END

# 2 x 8 x 5 x 7 outputs, each of 3 channels x 3 x 2: 20,160 operations in 0.5 s.
odd=n=2,c=6,h=9,w=15,k=8,r=3,s=2,stride=2,pad=1x1x0x1,dilation=1x2,groups=2
whole()
{
    BYTES=$((2 * 8 * 5 * 7 * 4)) tap_exits 0 python3 "$layers" --rounds 2 --beside 'sh ./standin' $odd
}
tap_check "a layer with all there is" whole
tap_check "is a model with its shapes" tap_same "$(cat asked)" "in f32 2,6,9,15 x
out f32 2,8,5,7 y"
tap_check "its row has operations by time" tap_same \
    "$(sed 1d out | awk -F '",|,' '{ print $(NF - 5), $(NF - 1) }')" "a stand-in 4.032e-05"
tap_check "zeros are as far from ours as can be" tap_same "$(sed 1d out | awk -F, '{ print $NF }')" 1

refuses()
{
    tap_exits "$1" python3 "$layers" --rounds 2 "$3" && tap_says err "$2"
}
tap_check "a layer without its width" refuses 2 "parameter 'w' is required" c=3,h=5
tap_check "a list" refuses 1 '^bench15: lists and networks are not taken' bench15
missing()
{
    ARENABENCH=/nowhere/program refuses 1 '/nowhere/program: No such file' $odd
}
tap_check "no program" missing

# Outputs are those of our run, to single precision: a plain layer, one with groups, dilation and
# odd padding, a depthwise one.
all_near()
{
    sed 1d out | awk -F, '{ far += !($NF < 1e-4) } END { exit NR != 3 || far > 0 }'
}
for library in onnxruntime opencv pytorch; do
    if python3 "$layers" --rounds 2 --beside $library c=16,h=14,w=14,k=32,r=3,s=3,pad=1 $odd \
        c=16,h=14,w=14,k=16,r=5,s=5,pad=2,stride=2,groups=16 >out 2>err; then
        tap_check "$library computes the same" all_near
    else
        tap_skip "$(tail -n 1 err)"
    fi
done
tap_done
