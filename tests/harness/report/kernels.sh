#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The figures of memory operations and of latency, from sweeps of their experiments on small
# layers: their data are what the layers, the models and the times say.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
[ -z "$(tap_setting SAN_FLAGS)" ] || tap_skip_all "built with sanitizers: what sweeps and figures run there is run by t_conv_sweep and report.sh"
. "$top_srcdir/tests/support/experiments.sh"

kernel_experiment operations generic '"c=16,h=13,w=13,k=32,r=3,s=3"' \
    '"mgemm:co=2v,wo={1..7},wf={keep,reload}", "mgemm:preset=paper"' 'figures = ["operations"];'
kernel_experiment latency best '"yolov3-tiny:", "c=8,h=9,w=9,k=8,r=3,s=3,pad=1,groups=8"' \
    '"mgemm", "mgemm:preset=paper", "mgemm:preset=paper,llc=1048576", "im2col-openblas"' \
    'figures = ["latency", "latency-network"];'

swept()
{
    "$arenabench" sweep "$1.cfg" --output results && "$arenabench" report --figures "$2" results
}

# holds FILE AWK: the rule prints nothing for a row of figures/FILE.csv, whose fields are named.
holds()
{
    csv_rows "results/figures/$1.csv" "$2"' { print; bad = 1 }
        END { exit bad || NR < 2 }'
}

tap_check "a sweep of memory operations" swept operations operations
tap_check "tiles that keep inputs and that reload them" tap_same \
    "$(sed 1d results/figures/operations.csv | cut -d, -f2 | sort | uniq -c | tr -s ' ' |
        tr '\n' ';')" " 6 keep; 7 reload;"
# Two vectors of 4, 3 taps: 1 / w_o for weights, and (w_o + 2) / 3 inputs or w_o for 8 w_o.
# shellcheck disable=SC2016
tap_check "the model's inputs and weights" holds operations '
    { w = $at["wo"]; inputs = $at["wf"] == "keep" ? (w + 2) / 3 : w
      m = 1 / w + inputs / (8 * w) - $at["modelled"] }
    m * m > 1e-12'
neon_rows()
{
    "$arenabench" report --no-figures results >/dev/null &&
        csv_rows results/tables/operations-neon.csv '
            { print $at["co"] "x" $at["wo"], $at["sums"], $at["mgemm"], $at["halo"], $at["product"] }'
}
# 16 channels, 3 x 3: 2 / 48 for outputs, 1 / w_o for weights; inputs 1 / (3 c_o), with the halo
# (w_o + 2) / (3 w_o c_o), and 1 / c_o for the matrix product.
tap_check "NEON's tiles by the model" tap_same "$(neon_rows)" "4x4 4 0.375 0.417 0.542
4x8 8 0.250 0.271 0.417
8x4 8 0.333 0.354 0.417
8x8 16 0.208 0.219 0.292"
if [ -f "$top_builddir/kernels/emitted/registry.c" ] &&
    grep -q '"generic"' "$top_builddir/kernels/emitted/registry.c"; then
    # shellcheck disable=SC2016
    tap_check "no fewer are counted" holds operations \
        '$at["counted"] < $at["modelled"] - 1e-9 || $at["more"] != ($at["counted"] > 1.001 * $at["modelled"])'
else
    tap_skip "nothing was counted: another processor, or no objdump"
fi

tap_check "a sweep of latency" swept latency latency,latency-network
# shellcheck disable=SC2016
tap_check "ratios of every kind that the layers have" holds latency \
    '$at["ratio"] <= 0 || $at["kind"] < 1 || $at["kind"] > 3'
as_published()
{
    awk -F, -v name="$1" '$2 == name { kind[$1]++ }
        END { print kind[1] "," kind[2] "," kind[3] }' results/figures/latency.csv
}
# Twelve shapes, four of them pointwise; depthwise layers have no such setting.
tap_check "the published plan is there for dense and pointwise layers" tap_same \
    "$(as_published 'as published')" "8,4,"
tap_check "and with slabs for 1 MiB" tap_same "$(as_published 'published (1 MiB)')" "8,4,"
# shellcheck disable=SC2016
tap_check "the network is the sum of its kinds" holds latency-network '
    { off = $at["dense_ms"] + $at["point_ms"] - $at["ms"] } off * off > 1e-12 * $at["ms"]'
tap_check "of all that can do every layer, mGEMM first" tap_same \
    "$(sed -n '2,3s/^\([12]\),\([^,]*\),.*/\1 \2/p' results/figures/latency-network.csv |
        tr '\n' ';')" "1 mgemm;2 as published;"

kernel_experiment layers best '"yolov3-tiny:sample=3", "c=8,h=9,w=9,k=8,r=3,s=3,pad=1,groups=4"' \
    '"mgemm", "@peers"' 'figures = ["layers"];'
if "$arenabench" list kernels | grep -qE '^(onednn|libxsmm|xnnpack) '; then
    tap_check "a sweep of layers" swept layers layers
    # shellcheck disable=SC2016
    tap_check "each kind's share grows to 1" holds layers '
        { bad_row = $at["ratio"] <= 0 || ($at["kind"] == kind && ($at["share"] <= share || $at["ratio"] < ratio)) ||
              (NR > 2 && $at["kind"] != kind && share != 1)
          kind = $at["kind"]; share = $at["share"]; ratio = $at["ratio"] }
        bad_row || share > 1'
    tap_check "groups are a kind of their own" grep -q '^4,' results/figures/layers.csv
else
    tap_skip "no direct library is built in"
fi
tap_done
