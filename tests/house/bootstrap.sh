#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bootstrap and GNUmakefile on machines that lack things: every tool is played
# by a stand-in, so nothing is installed or configured here.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

[ -f "$top_srcdir/bootstrap" ] || exit 99
make=$(command -v make)
tools="sh env cat cp rm mkdir mktemp find sed grep dirname touch chmod sleep"

# A clone in a folder whose name has a space; its bin/ is all of PATH.
clone="$tap_scratch/a clone"
bin=$tap_scratch/bin

# stand_in NAME LINE...: a program that does what the lines say.
stand_in()
{
    stand_in_file=$bin/$1
    shift
    {
        echo '#!/bin/sh'
        printf '%s\n' "$@"
    } >"$stand_in_file.new"
    chmod +x "$stand_in_file.new"
    mv "$stand_in_file.new" "$stand_in_file"
}

# A machine with nothing but the basic tools; USER ($1) is its user's number.
bare_machine()
{
    rm -rf "$bin" "$clone" "$tap_scratch/calls" "$tap_scratch/installed"
    : >"$tap_scratch/withheld"
    mkdir "$bin" "$clone" "$clone/m4" "$clone/build-aux" "$clone/lib"
    for tool in $tools; do
        ln -s "$(command -v "$tool")" "$bin/$tool"
    done
    # What the shell has built in, as programs.
    stand_in echo "printf '%s\n' \"\$*\""
    stand_in true 'exit 0'
    stand_in id "echo $1"
    cp "$top_srcdir/bootstrap" "$top_srcdir/GNUmakefile" "$clone/"
    cp "$top_srcdir/build-aux/packages" "$clone/build-aux/"
    touch "$clone/configure.ac" "$clone/Makefile.am" "$clone/lib/local.mk"
    : >"$tap_scratch/calls"
    mkdir "$tap_scratch/installed"
}

# The programs that the packages bring.  What was called is noted in calls.
packages()
{
    calls=$tap_scratch/calls
    for program in gcc python3 make pkg-config gnuplot cbc curl xz protoc-c; do
        stand_in $program 'exit 0'
    done
    mkdir -p "$tap_scratch/lib"
    : >"$tap_scratch/lib/tap-driver.sh"
    stand_in automake "echo '$tap_scratch/lib'"
    stand_in autoreconf "echo autoreconf >>'$calls'" \
        "cp '$tap_scratch/configure' configure; touch Makefile.in config.h.in"
    cat >"$tap_scratch/configure" <<END
#!/bin/sh
echo "configure \$*" >>'$calls'
printf 'all:\n\t@echo made all\ncheck:\n\t@echo made check\nclean:\n\t@sleep 0.2; echo made clean\ninstall dist installcheck check-all:\n' >Makefile
touch config.status
END
    chmod +x "$tap_scratch/configure"
    # Fonts are looked for in the home folder, too; ONNX's description where run says.
    mkdir -p "$tap_scratch/home/.fonts"
    touch "$tap_scratch/home/.fonts/some.ttf" "$tap_scratch/home/onnx.proto"
}

# An apt-get that notes its calls; an installation brings the packages ($*: all that
# are played by programs).  It refuses a call that names one of those in `withheld`.
apt()
{
    stand_in apt-get "echo \"apt-get \$* \${DEBIAN_FRONTEND-}\" >>'$tap_scratch/calls'" \
        "for word in \"\$@\"; do" \
        "    ! grep -qx -e \"\$word\" '$tap_scratch/withheld' || exit 100" \
        'done' \
        "case \" \$* \" in *\" install \"*) cp '$tap_scratch'/later/* '$bin/' ;; esac"
    rm -rf "$tap_scratch/later"
    mkdir "$tap_scratch/later"
    [ $# -gt 0 ] ||
        set -- gcc make pkg-config gnuplot cbc curl xz protoc-c automake autoreconf
    for package in "$@"; do
        mv "$bin/$package" "$tap_scratch/later/"
    done
}

# machine USER [apt [PACKAGE...]]: a machine with the packages, or with an apt-get that
# brings those that are named, or else all.
machine()
{
    bare_machine "$1"
    packages
    [ $# -eq 1 ] || {
        shift 2
        apt "$@"
    }
}

# bootstrap [ARGUMENT...] on that machine; status and output are kept.
run()
{
    (cd / && env -i PATH="$bin" HOME="$tap_scratch/home" ONNX_PROTO="$tap_scratch/home" ${extra-} \
        "$clone/bootstrap" "$@") \
        >"$tap_scratch/out" 2>&1
    status=$?
}

says()
{
    grep -q -e "$1" "$tap_scratch/out" || {
        cat "$tap_scratch/out"
        return 1
    }
}

called()
{
    tap_same "$(sed 's/ *$//' "$tap_scratch/calls" | tr '\n' '|')" "$1"
}

# Nothing there, nothing allowed.
bare_machine 1000
run
tap_check "without apt-get: status 2" tap_same "$status" 2
tap_check "the exact command is printed" says \
    'sudo apt-get update && sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y'
tap_check "a compiler comes with its headers" says 'gcc libc6-dev make autoconf automake pkg-config'
tap_check "gnuplot is asked for" says ' gnuplot-nox'
tap_check "git is not, where there is no clone" test "$(grep -c ' git\b' "$tap_scratch/out")" = 0
mkdir "$clone/.git"
run
tap_check "in a clone it is" says ' git$'
run --minimal
tap_check "--minimal leaves it out" test "$(grep -c ' git\b' "$tap_scratch/out")" = 0
tap_check "--minimal leaves gnuplot out" test "$(grep -c gnuplot "$tap_scratch/out")" = 0

# Root, with apt-get.
machine 0 apt
extra=ARENABENCH_NO_INSTALL=1
run --install
extra=
tap_check "ARENABENCH_NO_INSTALL=1: status 2" tap_same "$status" 2
tap_check "and nothing was called" called ""
tap_check "the command for root has no sudo" says \
    '^bootstrap: apt-get update && env DEBIAN_FRONTEND=noninteractive apt-get install'
run --install --enable-werror 'CFLAGS=-O2 -g'
tap_check "as root: status 0" tap_same "$status" 0
tap_check "apt-get update comes first" tap_same \
    "$(sed -n '1s/ *$//p' "$tap_scratch/calls")" "apt-get -o DPkg::Lock::Timeout=600 update noninteractive"
tap_check "apt-get installs without asking" grep -q \
    '^apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends gcc libc6-dev make .* noninteractive$' \
    "$tap_scratch/calls"
tap_check "then autoreconf and configure with the arguments" tap_same \
    "$(sed -n '3,$p' "$tap_scratch/calls" | tr '\n' '|')" "autoreconf|configure --enable-werror CFLAGS=-O2 -g|"
tap_check "automake's driver is copied" test -f "$clone/build-aux/tap-driver.sh"
: >"$tap_scratch/calls"
run --install
tap_check "a second run: status 0" tap_same "$status" 0
tap_check "it does nothing" called ""
tap_check "and says nothing" tap_same "$(cat "$tap_scratch/out")" ""

# A user with sudo that asks for no password, and one whose sudo asks.
machine 1000 apt
stand_in sudo "echo \"sudo \$*\" >>'$tap_scratch/calls'" 'shift' 'exec "$@"'
run --install
tap_check "with sudo -n: status 0" tap_same "$status" 0
tap_check "sudo is told not to ask" test "$(grep -c '^sudo -n ' "$tap_scratch/calls")" -eq 3
machine 1000 apt
stand_in sudo 'exit 1'
run --install
tap_check "sudo that asks for a password: status 2" tap_same "$status" 2

# Nothing is installed unasked.
machine 0 apt
run
tap_check "without --install: status 2" tap_same "$status" 2
tap_check "and nothing is called" called ""
tap_check "but said how" says '^bootstrap: (./bootstrap --install runs this command)'
machine 0 apt gnuplot
run
tap_check "what is optional is left out" called "autoreconf|configure|"
run --install
tap_check "and installed when that is asked for" test -x "$bin/gnuplot"
tap_check "once" tap_same "$(grep -c ' install ' "$tap_scratch/calls")" 1

# Another apt-get, which ends after a while.
machine 0 apt gnuplot
stand_in sleep "rm '$tap_scratch/locked'"
touch "$tap_scratch/locked"
{
    sed 1q "$bin/apt-get"
    echo "[ ! -e '$tap_scratch/locked' ] || { echo 'E: Could not get lock /x'; exit 100; }"
    sed 1d "$bin/apt-get"
} >"$tap_scratch/busy"
cat "$tap_scratch/busy" >"$bin/apt-get"
run --install
tap_check "it is waited for" says '^bootstrap: waiting for another apt-get to end'
tap_check "and then the package comes" test -x "$bin/gnuplot"
tap_check "nothing is left of that" test ! -e "$clone/.update"

# Broken installations.
machine 0 apt
rm "$tap_scratch/later/pkg-config"
run --install
tap_check "still missing after the installation: status 2" tap_same "$status" 2
tap_check "what is missing is named" says 'still missing.*pkg-config'

# What is only optional.
machine 1000
rm "$bin/gnuplot"
run
tap_check "only gnuplot missing, nothing allowed: it goes on" tap_same "$status" 0
tap_check "to the end" called "autoreconf|configure|"
tap_check "the command is printed" says 'sudo env .* install -y --no-install-recommends gnuplot-nox$'
tap_check "a line says what is left out" says \
    '^bootstrap: without gnuplot-nox: the figures (their data are written) will be left out$'
run
tap_check "a second run says it in one line" tap_same "$(cat "$tap_scratch/out")" \
    "bootstrap: left out, as before: gnuplot-nox (--retry tries again)"
tap_check "and does nothing" called "autoreconf|configure|"
run --minimal
tap_check "--minimal says nothing of it" tap_same "$(cat "$tap_scratch/out")" ""
stand_in gnuplot 'exit 0'
cat >"$clone/config.status" <<END
echo "config.status \$*" >>'$tap_scratch/calls'
END
chmod +x "$clone/config.status"
: >"$tap_scratch/calls"
run
tap_check "once it is there, what was configured is looked at again" called \
    "config.status --recheck|config.status|"

machine 0 apt gnuplot cbc xz
printf '%s\n' gnuplot-nox coinor-cbc >"$tap_scratch/withheld"
mv "$tap_scratch/later/gnuplot" "$tap_scratch/later/cbc" "$tap_scratch/"
run --install
tap_check "two optional packages that can't be had: it goes on" tap_same "$status" 0
tap_check "without these" says '^bootstrap: without coinor-cbc: .* left out$'
tap_check "of which each is told" says '^bootstrap: without gnuplot-nox: .* left out$'
tap_check "all at once is tried, then one by one" tap_same \
    "$(sed -n 's/^apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends \(.*\) noninteractive/\1/p' \
        "$tap_scratch/calls" | tr '\n' '|')" \
    "gnuplot-nox coinor-cbc xz-utils|gnuplot-nox|coinor-cbc|xz-utils|"
tap_check "what can be had is there" test -x "$bin/xz"
: >"$tap_scratch/calls"
run --install
tap_check "a second run does not try again" called ""
mv "$tap_scratch/cbc" "$tap_scratch/later/"
: >"$tap_scratch/withheld"
run --install --retry
tap_check "--retry does" says 'missing, optional: gnuplot-nox coinor-cbc'
tap_check "and finds what can be had by now" test -x "$bin/cbc"

machine 0 apt make gnuplot
echo gnuplot-nox >"$tap_scratch/withheld"
mv "$tap_scratch/later/gnuplot" "$tap_scratch/"
run --install
tap_check "what is required comes though an optional package can't" tap_same "$status" 0
tap_check "by a call of its own" grep -q '^apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends make nonin' \
    "$tap_scratch/calls"
machine 0 apt make gnuplot
echo make >"$tap_scratch/withheld"
run --install
tap_check "what is required and can't be had: status 2" tap_same "$status" 2
tap_check "and why" says 'could not install what is required'

# What the user does without, and where he has it.
machine 1000
stand_in gcc 'for word in "$@"; do' 'case $word in *.c) ! grep -q cblas "$word" || exit 1 ;; esac' \
    'done'
run --without-openblas
tap_check "a library that is not wanted is not missed" tap_same "$(cat "$tap_scratch/out")" ""
tap_check "configure is told, too" called "autoreconf|configure --without-openblas|"
run LDFLAGS=-Lsomewhere
tap_check "one that is wanted is" says '^bootstrap: without libopenblas-dev: the kernel im2col-openblas'

# Neither the libraries nor anything optional: the library alone does without.
machine 1000
stand_in pkg-config 'exit 1'
rm "$bin/gnuplot" "$bin/protoc-c"
run
tap_check "without GSL: status 2" tap_same "$status" 2
run --enable-only=arenaplan
tap_check "libarenaplan alone needs it not" called "autoreconf|configure --enable-only=arenaplan|"
tap_check "and nothing is missed" tap_same "$(cat "$tap_scratch/out")" ""

# A header without its library, as libblas-dev has one of OpenBLAS's.
machine 1000
stand_in gcc 'for word in "$@"; do [ "$word" != -lopenblas ] || exit 1; done'
run
tap_check "a header alone is not enough" says '^bootstrap: without libopenblas-dev'
machine 1000
stand_in gcc 'for word in "$@"; do [ "$word" != -lpthreadpool ] || exit 1; done'
run
tap_check "what one library needs of another is asked for" says \
    '^bootstrap: without libxnnpack-dev libpthreadpool-dev: the kernel xnnpack'

# Steps.
machine 0
extra=NOCONFIGURE=1
run
extra=
tap_check "NOCONFIGURE=1 stops before configure" called "autoreconf|"
machine 0
echo 1.0 >"$clone/.tarball-version"
cp "$tap_scratch/configure" "$clone/configure"
rm "$bin/autoreconf" "$bin/automake"
run
tap_check "a release needs no autotools" called "configure|"

# GNUmakefile, with the real make.
goals()
{
    (cd "$clone" && env -i PATH="$bin" HOME="$tap_scratch/home" "$make" "$@") \
        >"$tap_scratch/out" 2>&1
    status=$?
}
machine 0
goals clean distclean
tap_check "cleaning what is not configured: status 0" tap_same "$status" 0
tap_check "and no bootstrap" called ""
goals -n check
tap_check "make -n does not bootstrap" called ""
goals -j2 clean check
tap_check "make clean check bootstraps once" called "autoreconf|configure|"
tap_check "then makes the first goal" says 'made clean'
tap_check "and the second" says 'made check'
tap_check "in this order, whatever -j says" tap_same "$(grep '^made' "$tap_scratch/out" | tr '\n' ' ')" \
    "made clean made check "
: >"$tap_scratch/calls"
goals
tap_check "then make is make" says 'made all'
tap_check "without bootstrap" called ""
# Only tests install.
installs()
{
    machine 0 apt gnuplot
    goals "$1"
    tap_same "$(grep -c ' install ' "$tap_scratch/calls")" "$2"
}
for goal in all install dist installcheck; do
    tap_check "make $goal installs nothing" installs $goal 0
done
tap_check "make check does" installs check 1
tap_check "make check-all, too" installs check-all 1
tap_done
