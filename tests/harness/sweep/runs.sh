#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps of networks that run: what is recorded is what the command `run` says, an interrupted one
# goes on, libraries that are not there are left out, and two of them are the same whatever
# their times.
# shellcheck disable=SC2016,SC2317 # awk programs; functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

cat >tiny.cfg <<'END'
name = "tiny";
title = "Small networks";
kind = "run";
figures = ["run"];
solvers = ("naive", "greedy-by-size");
kernels = ("mgemm", "im2col", "libxsmm");
rounds = 6;
time_limit_s = 60;
budget_s = 5;
quick: {
    workloads = ("{squeezenet1_1,googlenet}:size=64,fuse={none,all}",
                 "{squeezenet1_1,googlenet}:size=64,fuse=all,alias=on,inplace=nnc,concat=place");
    all_pairs = false;
};
full: {
    workloads = ("squeezenet1_1:size=64");
};
END

# stored NETWORK PLANNER KERNEL: what a run took and was made of.
stored()
{
    sqlite3 results/results.db "select x.arena_bytes, x.own_bytes, x.stored_bytes, x.packed_bytes,
        x.scratch_bytes, x.workspace_bytes, x.copied_bytes, x.operators, x.idle
        from task t join workload w on w.id = t.workload join execution x on x.task = t.id
        where w.label = '$1' and t.contestant = '$2' and x.kernels = '$3'"
}

# The same of the command.
told()
{
    "$arenabench" run "$1" --solver "$2" --kernels "$3" --rounds 6 --format csv |
        csv_rows - '{ print $at["arena_bytes"] "|" $at["own_bytes"] "|" $at["stored_bytes"] "|" \
                $at["packed_bytes"] "|" $at["scratch_bytes"] "|" $at["workspace_bytes"] "|" \
                $at["copied_bytes"] "|" $at["operators"] "|" $at["idle"] }'
}

tap_check "nothing is written by a dry run" sh -c \
    "'$arenabench' sweep tiny.cfg --output results --dry-run >out && [ ! -e results ]"
kernels=$("$arenabench" list kernels --format csv | grep -cE '^(im2col-openblas|libxsmm),')
tap_check "each planner on one kernel, each kernel with one planner" tap_same \
    "$(grep -c 'to do' out)" $((6 * (2 + 2)))
tap_check "a sweep" sweep results
tap_check "has a row a task" tap_same "$(sed 1d results/tiny.csv | wc -l | tr -d ' ')" 24
tap_check "all that is there is measured" tap_same \
    "$(cut -d, -f2- results/tiny.csv | grep -c ',measured,')" $((6 * (2 + kernels)))
tap_check "what is not is skipped, with a reason" tap_same \
    "$(grep ',skipped,' results/tiny.csv | grep -c 'not built in: ')" $((6 * (2 - kernels)))
if command -v sqlite3 >/dev/null; then
    for solver in naive greedy-by-size; do
        tap_check "$solver's run is what the command says" tap_same \
            "$(stored squeezenet1_1:size=64,fuse=all "$solver" mgemm)" \
            "$(told squeezenet1_1:size=64,fuse=all "$solver" mgemm)"
    done
    tap_check "keys have the checksums of planner, kernel and runtime" tap_same \
        "$(sqlite3 results/results.db "select count(*) from task_key where key glob '* build=*'
            and substr(key, instr(key, ' build=') + 7) like '%-%-$(
            sed -n 's/.*&runner_run, "\(.*\)".*/\1/p' "$top_builddir/runtime/registry.c")'")" 24
else
    tap_skip "sqlite3 is not here"
fi
tap_check "a second sweep" sweep results
tap_check "has nothing to do" grep -q 'nothing left to do' out
tap_check "one of a kernel's again" sweep results --force='mge?m'
tap_check "... runs these" tap_same "$(awk '$1 == "tiny" { print $4 }' out)" 12
tap_check "... one of a planner's" sweep results --force=naive
tap_check "... these" tap_same "$(awk '$1 == "tiny" { print $4 }' out)" 6
tap_check "... and one of a network's" sweep results '--force=googlenet*'
tap_check "... these" tap_same "$(awk '$1 == "tiny" { print $4 }' out)" 12

# An interrupted sweep keeps what has ended, and goes on.
"$arenabench" sweep tiny.cfg --output other >/dev/null 2>&1 &
pid=$!
# ended: of a task there is a row; where nobody can ask for one, of the sweep.
ended()
{
    if command -v sqlite3 >/dev/null; then
        sqlite3 other/results.db 'select count(*) from execution' 2>/dev/null | grep -q '^[1-9]'
    else
        [ -s other/results.db-wal ]
    fi
}
while kill -0 $pid 2>/dev/null && ! ended; do
    sleep 0.05
done
# Not SIGINT, which a job in the background ignores.
kill -TERM $pid 2>/dev/null
wait $pid
tap_check "a sweep is interrupted" tap_same $? 143
tap_check "... and goes on" sweep other
if command -v sqlite3 >/dev/null; then
    tap_check "... with what it had" awk \
        '$1 == "tiny" { good = $3 > 0 && $4 > 0 && $3 + $4 == 24 } END { exit !good }' out
fi
tap_check "... to the same tasks" tap_same "$(cut -d, -f2-6 other/tiny.csv)" \
    "$(cut -d, -f2-6 results/tiny.csv)"
tap_check "two sweeps are the same, whatever their times" "$arenabench" diff --same other results
if command -v sqlite3 >/dev/null; then
    cp -r other changed
    sqlite3 changed/results.db "update execution set row_checksum = null, workspace_bytes = workspace_bytes + 64
        where task = (select min(task) from execution where arena_bytes is not null)"
    tap_check "... more memory beside weights is not" tap_exits 1 "$arenabench" diff --same other changed
    tap_check "... and said to be worse" grep -q '1 worse' out
fi

tap_check "a report" "$arenabench" report --no-figures results
tap_check "has the table, a row for each pair of runs" tap_same \
    "$(sed 1d results/tables/tiny-run.csv | wc -l | tr -d ' ')" $((2 * (1 + kernels + 1)))
tap_check "... in which all is right" tap_same \
    "$(awk -F, 'NR > 1 && !/,yes$/' results/tables/tiny-run.csv)" ""
if command -v gnuplot >/dev/null; then
    tap_check "a figure" "$arenabench" report --figures run results
    tap_check "has a point a run" tap_same \
        "$(sed 1d results/figures/tiny-run.csv | wc -l | tr -d ' ')" $((6 * (2 + kernels)))
    # No point of the front is above and right of another point.
    tap_check "... the front is one" awk -F, '
        NR == FNR { if (FNR > 1 && $10 == 1) { n++; panel[n] = $1; ms[n] = $6; mib[n] = $9 } next }
        FNR > 1 && $10 == 1 { for (i = 1; i <= n; i++)
            if (panel[i] == $1 && ms[i] <= $6 && mib[i] <= $9 && (ms[i] < $6 || mib[i] < $9))
                { print; bad = 1 } }
        END { exit bad || n < 2 }' results/figures/tiny-run.csv results/figures/tiny-run.csv
else
    tap_skip "gnuplot is not installed"
fi

# Groups: one operator after the other is timed before, and modelled for so many threads.
run_experiment groups '"{squeezenet1_1,googlenet}:size=64,groups={1,2}"' '"greedy-by-size"' \
    '"mgemm", "mgemm:threads=2,groups=on"' 'figures = ["regions"];'
if [ "$(nproc)" -ge 2 ]; then
    tap_check "a sweep in groups" "$arenabench" sweep groups.cfg --output groups
    tap_check "... is timed one operator after the other too, and modelled" tap_same \
        "$(csv_rows groups/groups.csv '
            $at["groups"] == 1 && $at["outcome"] == "measured" && $at["serial_s"] > 0 &&
                $at["modelled_speed_up"] > 0 && $at["modelled_speed_up"] <= 2 { both++ }
            $at["groups"] == 0 && $at["serial_s"] == "" && $at["modelled_speed_up"] == "" { one++ }
            END { print both, one }')" "4 4"
    if command -v gnuplot >/dev/null; then
        tap_check "... their figure" "$arenabench" report --figures regions groups
        tap_check "... has a point each" tap_same \
            "$(sed 1d groups/figures/groups-regions.csv | wc -l | tr -d ' ')" 4
    fi
else
    tap_skip "one processor"
fi

# refused TEXT SED: the file after SED is refused with TEXT, and nothing is written.
refused()
{
    sed "$2" tiny.cfg >bad.cfg
    tap_exits 2 "$arenabench" sweep bad.cfg --output refused && grep -qF -- "$1" err && [ ! -e refused ]
}
tap_check "an unknown kernel is refused" refused \
    "bad.cfg:6: unknown kernel 'mgem' (did you mean 'mgemm'?)" 's/"mgemm"/"mgem"/'
tap_check "... parameters of kernels" refused "expected threads=N, groups=on or nothing" 's/"mgemm"/"mgemm:co=8"/'
tap_check "... ranks" refused "has a rank" 's/"mgemm"/"mgemm:rank=1"/'
tap_check "... no kernels" refused "'kernels' is missing" '/^kernels/d'
tap_check "... rounds without end" refused 'bad.cfg:7: rounds: expected' 's/^rounds = 6/rounds = 99999/'
tap_done
