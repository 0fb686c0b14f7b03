#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables that a page opens with say what the sweeps' CSV files say: a million buffers beside
# the field, kernels beside libraries.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

# planners NAME FIGURE WORKLOAD: an experiment of that name.
planners()
{
    printf 'name = "%s";\ntitle = "Of a test";\nfigures = ["%s"];\n' "$1" "$2" >"$1.cfg"
    printf 'solvers = ("tflm", "naive", "greedy-by-size", "branch-and-bound");\n' >>"$1.cfg"
    printf 'quick: { workloads = ("%s"); time_limit_s = 10; budget_s = 5; };\n' "$3" >>"$1.cfg"
    printf 'full: { workloads = ("%s"); time_limit_s = 10; budget_s = 5; };\n' "$3" >>"$1.cfg"
}
planners field answer 'uniform:n=10,seed={1..3}'
planners million pairs 'uniform:n=40,seed={1..4}'
kernel_experiment blocking generic '"c=8,h=9,w=9,k=8,r=3,s=3,pad=1",
    "c=16,h=9,w=9,k=8,r=3,s=3,pad=1", "c=8,h=9,w=9,k=16,r=1,s=1"' \
    '"mgemm:co=1v,wo={2,4}", "mgemm", "im2col-openblas", "onednn", "onednn-auto"'
for experiment in field million blocking; do
    tap_check "a sweep of $experiment" \
        "$arenabench" sweep "$experiment.cfg" --output results
done
tap_check "their report" "$arenabench" report results --no-figures

answer=results/tables/answer.csv
tap_check "the field's own row" tap_same \
    "$(csv_rows "$answer" '$at["instances"] == "uniform" { print $at["n"] }')" 3
gap=$(csv_rows results/million.csv '$at["contestant"] == "tflm" {
    sum += 100 * ($at["peak"] / $at["best_lower_bound"] - 1); n++ }
    END { printf "%d tflm %.2f", n, sum / n }')
million='$at["instances"] == "a million buffers"'
tap_check "a million buffers: instances, who is shipped, its gap" tap_same \
    "$(csv_rows "$answer" "$million"' { print $at["n"], $at["shipped"], $at["shipped_gap"] }')" "$gap"
# Of all that prove nothing those with the least mean, the fastest first: its time, and how many.
nearest()
{
    csv_rows results/field.csv '$at["contestant"] != "branch-and-bound" {
        who = $at["contestant"]; sum[who] += $at["peak"] / $at["best_lower_bound"]
        time[who, ++n[who]] = $at["time_s"] }
        END {
            for (w in n) {
                for (i = 1; i <= 3; i++) # the median of three
                    for (j = 1; j <= 3; j++)
                        if (time[w, i] <= time[w, j] && time[w, i] >= time[w, 6 - i - j] && i != j)
                            middle[w] = time[w, i]
                if (least == "" || sum[w] < least - 1e-12)
                    least = sum[w]
            }
            for (w in n)
                if (sum[w] <= least + 1e-12) {
                    ties++
                    if (first == "" || middle[w] < middle[first])
                        first = w
                }
            printf "%s %d", first, ties }'
}
tap_check "the nearest of the field, the fastest first" tap_same \
    "$(csv_rows "$answer" '$at["instances"] == "uniform" {
        sub(/,.*| and .*/, "", $at["best"]); print $at["best"], $at["best_ties"] }')" "$(nearest)"
tap_check "... in a sentence, folded where others come first" grep -q \
    '^<li><b>uniform</b>: 3 instances, all optima known\. .* \(reach\(es\)\{0,1\} all of them\|comes\{0,1\} nearest\)' \
    results/report.html
tap_check "... with what is drawn as an interval" csv_rows "$answer" \
    '$at["instances"] == "uniform" { exit !($at["best_interval"] ~ /^[0-9.]+ to [0-9.]+$/) }'
tap_check "... and their times" csv_rows "$answer" \
    "$million"' { exit !($at["shipped_ms"] > 0 && $at["best_ms"] > 0) }'
tap_check "... in a sentence" grep -q '^<li><b>a million buffers</b>: 4 instances,' results/report.html

# Dense layers: the direct library that comes nearest to mgemm's least time in the final, how often
# it takes that time on average, the same of each layer's fastest direct library, layers won, and
# the same of what may be Winograd's, on the layers that one does.
expected()
{
    csv_rows results/blocking.csv '$at["final_s"] != "" && $at["layer"] ~ /r=3/ {
        layer[$at["layer"]]; who = $at["kernel"]; time = $at["final_s"]
        if (!(($at["layer"], who) in least) || time < least[$at["layer"], who])
            least[$at["layer"], who] = time
        if (who != "mgemm")
            peer[who] }
        END {
            for (l in layer) {
                best = few = 0
                for (p in peer) {
                    if (!((l, p) in least))
                        continue
                    ratio = least[l, p] / least[l, "mgemm"]
                    if (p == "onednn-winograd" || p == "onednn-auto") {
                        few = few == 0 || ratio < few ? ratio : few
                        continue
                    }
                    done[p]++
                    sum[p] += log(ratio)
                    best = best == 0 || ratio < best ? ratio : best
                }
                all += log(best); won += best > 1; n++
                if (few > 0) {
                    fewer += log(few); m++
                }
            }
            for (p in peer)
                if (done[p] == n && (near == "" || sum[p] < sum[near]))
                    near = p
            printf "%d %s %.2f %.2f %d %s", n, near, exp(sum[near] / n), exp(all / n), won,
                (m > 0 ? sprintf("%.2f", exp(fewer / m)) : "") }'
}
if csv_rows results/blocking.csv '$at["role"] == "peer" && $at["outcome"] == "measured"' | grep -q .; then
    tap_check "kernels beside libraries" tap_same \
        "$(csv_rows results/tables/answer-kernels.csv '$at["kind"] == "dense" {
            print $at["layers"], $at["library"], $at["speed_up"], $at["fastest"], $at["won"],
                $at["winograd"] }')" \
        "$(expected)"
    # apart TABLE: its libraries that may be Winograd's, and how many rows others have.
    apart()
    {
        csv_rows "results/tables/$1.csv" '
            $at["peer"] ~ /^onednn-(auto|winograd)$/ { fewer++; next } { direct++ }
            END { print (fewer > 0), (direct > 0) }'
    }
    if csv_rows results/blocking.csv '$at["kernel"] == "onednn-auto"' | grep -q .; then
        tap_check "Winograd's have a table of their own" tap_same \
            "$(apart blocking-peers), $(apart blocking-winograd)" "0 1, 1 0"
    else
        tap_skip "oneDNN is not here"
    fi
    tap_check "... in a sentence" grep -q \
        '^<li><b>generic, dense convolutions</b>: 2 layers\. .* times as fast' results/report.html
else
    tap_skip "no library to compare with is here"
fi
tap_done
