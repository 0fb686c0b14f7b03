# SPDX-License-Identifier: GPL-3.0-or-later
# Small experiments, sweeps of them, and what these record, for test scripts, to be sourced:
#
#   . "${top_srcdir:?}/tests/support/experiments.sh"
#
# They work in the scratch folder from then on, and have what command.sh has.
#
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # whoever sources this sets arenabench, and reads pid and draw

. "${top_srcdir:?}/tests/support/command.sh"

# planner_experiment NAME SOLVERS WORKLOADS [SETTINGS]: NAME.cfg, in which no limit on time decides.
# SOLVERS and WORKLOADS are lists as such a file has them, SETTINGS further lines of it.
planner_experiment()
{
    cat >"$1.cfg" <<END_OF_EXPERIMENT
name = "$1";
title = "Of a test";
solvers = ($2);
time_limit_s = 0;
memory_limit_mib = 256;
budget_s = 5;
${4-}
quick: { workloads = ($3); };
END_OF_EXPERIMENT
}

# kernel_experiment NAME ISA LAYERS KERNELS [SETTINGS]: NAME.cfg, as short as kernels can be timed.
# LAYERS and KERNELS are lists as such a file has them, SETTINGS further lines of it.
kernel_experiment()
{
    cat >"$1.cfg" <<END_OF_EXPERIMENT
name = "$1";
title = "Of a test";
kind = "conv";
${5-}
time_limit_s = 60;
budget_s = 5;
quick: {
    layers = ($3);
    kernels = ($4);
    isas = ("$2");
    rounds_most = 6;
    final_rounds = 6;
};
full: {
    layers = ($3);
    kernels = ("mgemm");
};
END_OF_EXPERIMENT
}

# run_experiment NAME WORKLOADS SOLVERS KERNELS [SETTINGS]: the same for networks that are run.
run_experiment()
{
    cat >"$1.cfg" <<END_OF_EXPERIMENT
name = "$1";
title = "Of a test";
kind = "run";
${5-}
rounds = 6;
time_limit_s = 60;
budget_s = 5;
quick: {
    workloads = ($2);
    solvers = ($3);
    kernels = ($4);
};
END_OF_EXPERIMENT
}

# sweep FOLDER [OPTION...]: of tiny.cfg; what it prints is left in the files out and err.
sweep()
{
    "$arenabench" sweep tiny.cfg --output "$@" --jobs 2 >out 2>err || {
        cat out err
        return 1
    }
}

# stopped_sweep FOLDER KIB [COMMAND...]: begins a sweep of tiny.cfg, with COMMAND in front, and stops it
# (process $pid) when SQLite's log has more than KIB.  Fails where it has ended before.
stopped_sweep()
{
    sweep_folder=$1
    sweep_log=$2
    shift 2
    rm -rf "$sweep_folder"
    "$@" "$arenabench" sweep tiny.cfg --output "$sweep_folder" --jobs 2 >out 2>err &
    pid=$!
    while kill -0 $pid 2>/dev/null &&
        [ -z "$(find "$sweep_folder" -name results.db-wal -size "+${sweep_log}k" 2>/dev/null)" ]; do
        sleep 0.01
    done
    kill -STOP $pid 2>/dev/null
    sleep 0.1
    grep -q '^State:[[:space:]]*T' /proc/$pid/status 2>/dev/null
}

# kill_process PID: of a child; the status is 137 where it was running.
kill_process()
{
    kill -KILL "$1" 2>/dev/null
    # The shell's own remark about the kill is not for the log.
    { wait "$1"; } 2>/dev/null
}

# For scripts that kill workers: LeakSanitizer has a child of its own at the end of a process, and waits
# for ever for one that was killed.
without_leak_checks()
{
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
    export ASAN_OPTIONS
}

# The next of the random numbers below 1000, as $draw; $random is the seed.
next_random()
{
    random=$(((random * 1103515245 + 12345) % 2147483648))
    draw=$((random / 65536 % 1000))
}

# pause MILLISECONDS
pause()
{
    sleep "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))"
}

# stored_rows FOLDER: what its store says, but for what hangs on the clock; sorted.
stored_rows()
{
    "${arenabench%/*}/tests/harness/store/stored" "$1" >rows && LC_ALL=C sort rows
}

# timeless_columns FILE: of a sweep's CSV file, those that do not hang on the clock.  Labels hold commas,
# so columns are counted from the end, where none stands in quotes.
timeless_columns()
{
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(time_s|cpu_s|rss_bytes)$/) skip[NF - i] }
             { for (i = 1; i <= NF; i++) if (!((NF - i) in skip)) printf "%s,", $i; print "" }' "$1"
}

# same_rows WANTED GOT: so are the two files.
same_rows()
{
    cmp "$1" "$2" || {
        diff "$1" "$2" | head -n 6
        return 1
    }
}

# change_store FOLDER SQL: a copy of it, named changed, with SQL done to its store, which may call the
# store's own functions if it is one statement.
change_store()
{
    rm -rf changed
    cp -r "$1" changed
    case $2 in
        *offsets*) "$top_builddir/tests/harness/store/stored" changed "$2" ;;
        *) sqlite3 changed/results.db "$2" ;;
    esac
}

# csv_rows FILE RULES: awk's RULES for the rows of a CSV file (-: of standard input), whose fields are
# $at["NAME"]; commas within quotes are semicolons there.
csv_rows()
{
    awk -F'"' '{ for (i = 2; i <= NF; i += 2) gsub(",", ";", $i); print }' OFS= "$1" | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        '"$2"
}
