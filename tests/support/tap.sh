# SPDX-License-Identifier: GPL-3.0-or-later
# Test Anything Protocol for test scripts, to be sourced:
#
#   . "${top_srcdir:?}/tests/support/tap.sh"
#   tap_check "what holds when the command succeeds" command argument...
#   tap_done
#
# shellcheck shell=sh

tap_run=0
tap_failed=0
# Where a script works; gone when it ends, whichever way.
tap_scratch=$(mktemp -d "${TMPDIR:-/tmp}/arenabench-test.XXXXXX") || exit 99
trap 'chmod -R u+w "$tap_scratch" && rm -rf "$tap_scratch"' EXIT
trap 'exit 99' HUP INT TERM

# One assertion: the command succeeds.  What it prints is shown when it fails.
tap_check()
{
    tap_text=$1
    shift
    tap_run=$((tap_run + 1))
    if "$@" >"$tap_scratch/.output" 2>&1; then
        echo "ok $tap_run - $tap_text"
    else
        echo "not ok $tap_run - $tap_text"
        sed 's/^/# /' "$tap_scratch/.output"
        tap_failed=$((tap_failed + 1))
    fi
}

# Nothing was found: for checks that print what is wrong.
tap_nothing()
{
    tap_found=$("$@" 2>&1)
    [ -z "$tap_found" ] || {
        printf '%s\n' "$tap_found"
        return 1
    }
}

# Two texts are the same.
tap_same()
{
    [ "$1" = "$2" ] || {
        echo "got '$1', expected '$2'"
        return 1
    }
}

# tap_exits STATUS COMMAND...: the command ends with that status; its output
# and its messages are left in the files out and err.
tap_exits()
{
    tap_wanted=$1
    shift
    "$@" >out 2>err
    tap_status=$?
    [ "$tap_status" -eq "$tap_wanted" ] || {
        echo "exit status $tap_status, expected $tap_wanted: $*"
        cat out err
        return 1
    }
}

# tap_says FILE TEXT: a line of it matches the extended regular expression.
tap_says()
{
    grep -qE -- "$2" "$1" || {
        echo "expected '$2' in $1:"
        head -c 4000 "$1"
        return 1
    }
}

# One assertion that can't be made here, with the reason.
tap_skip()
{
    tap_run=$((tap_run + 1))
    echo "ok $tap_run # SKIP $1"
}

# Nothing of the script, or nothing more of it, can be asked here, with the reason.
tap_skip_all()
{
    tap_skip "$1"
    tap_done
}

# What make knows as NAME.
tap_setting()
{
    sed -n "s/^$1 = *//p" "${top_builddir:?}/Makefile"
}

# The folder of real inputs (lib/base/real_inputs.h), or nothing.
tap_data()
{
    tap_folder=${ARENABENCH_DATA-$top_srcdir/data}
    [ ! -d "$tap_folder" ] || echo "$tap_folder"
}

# tap_draws_only FOLDER PATTERN: a gnuplot in FOLDER, to be found before the real one, that draws the
# pictures whose settings match (name='gap'; format='svg'; width='page'), and in place of others writes a line.
tap_draws_only()
{
    mkdir "$1" && command -v gnuplot >/dev/null || return
    cat >"$1/gnuplot" <<END
#!/bin/sh
case \$3 in
    $2) exec $(command -v gnuplot) "\$@" ;;
esac
echo "not drawn: \$3"
END
    chmod +x "$1/gnuplot"
}

# Ends the script.
tap_done()
{
    echo "1..$tap_run"
    [ "$tap_failed" -eq 0 ] && [ "$tap_run" -gt 0 ]
    exit
}

# Whether this is the whole tier, that of `make check-all`; else it is the small one, `make check`.
tap_whole()
{
    [ "${ARENABENCH_TEST_TIER-}" = whole ]
}

# A script that takes long ends in the small tier.
tap_whole_tier_only()
{
    tap_whole || tap_skip_all "make check-all looks at $1"
}
