#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs in control groups of version 2, in a virtual machine: its kernel has nothing else to
# do, so this machine need have no such groups and nobody need be root.
#
#   make check-cgroup                       with the kernel package of this machine's sources
#   make check-cgroup LINUX=/boot/vmlinuz   with this kernel
#
# The machine's only files are the program, two tests and what these need.  It takes qemu, cpio, a
# static busybox and setpriv (qemu-system-x86, cpio, busybox-static, util-linux) and some minutes,
# and is skipped with the reason without them.  It is no part of `make check`.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
built=$(cd "${top_builddir:?}" && pwd) || exit 99
root=$tap_scratch/root
log=$tap_scratch/log

for tool in qemu-system-x86_64 cpio busybox setpriv ldd; do
    command -v "$tool" >/dev/null || tap_skip_all "$tool is not installed"
done
[ "$(uname -m)" = x86_64 ] || tap_skip_all "this is no x86-64 machine"
ldd "$(command -v busybox)" >/dev/null 2>&1 && tap_skip_all "busybox is not static"

# The newest kernel for clouds: all that is needed is built into it.
fetch_linux()
{
    package=$(apt-cache depends linux-image-cloud-amd64 2>/dev/null |
        sed -n 's/.*Depends: \(linux-image-[^ ]*\)$/\1/p' | sed 1q)
    [ -n "$package" ] || return 1
    (cd "$tap_scratch" && apt-get download -q "$package" >/dev/null 2>&1 &&
        dpkg-deb -x ./*.deb kernel) || return 1
    for linux in "$tap_scratch"/kernel/boot/vmlinuz-*; do
        [ -f "$linux" ] || return 1
    done
}

linux=${LINUX-}
[ -n "$linux" ] || fetch_linux || tap_skip_all "no kernel: LINUX is not set, and apt has none"
[ -r "$linux" ] || tap_skip_all "$linux can't be read"

# copy PROGRAM PATH: with the libraries that it is linked with.
copy()
{
    cp "$1" "$root/$2"
    ldd "$1" | sed -n 's/^[^/]*\(\/[^ ]*\) (.*/\1/p' | while read -r library; do
        mkdir -p "$root$(dirname "$library")"
        cp -L -u "$library" "$root$library"
    done
}

mkdir -p "$root/bin" "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/tests/house" || exit 99
chmod 1777 "$root/tmp"
copy "$built/arenabench" bin/arenabench
copy "$(command -v setpriv)" bin/setpriv
! command -v setfattr >/dev/null || copy "$(command -v setfattr)" bin/setfattr
for test in t_memory_limits t_reaper; do
    copy "$built/tests/harness/run/$test.t" "bin/$test"
done
cp "$(command -v busybox)" "$root/bin/busybox"
for applet in $("$root/bin/busybox" --list); do
    [ -e "$root/bin/$applet" ] || ln -s busybox "$root/bin/$applet"
done
cp "$top_srcdir/tests/harness/run/cgroup_inside.sh" "$root/init"
chmod +x "$root/init"
(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) | gzip -1 >"$tap_scratch/initrd" || exit 99

# Ends by itself.
timeout 900 qemu-system-x86_64 -m 1536 -smp 2 -no-reboot -nographic -nic none -kernel "$linux" \
    -initrd "$tap_scratch/initrd" -append "console=ttyS0 quiet panic=-1 no_timer_check TERM=dumb" \
    </dev/null >"$log" 2>&1
tr -d '\r' <"$log" >"$log.plain"

# What the inside says is passed on: it is where it was found out.
passed()
{
    [ "$1" = ok ] || sed -n "/^$2:/,/^inside/p" "$log.plain"
    [ "$1" = ok ]
}

sed -n 's/^inside \(ok\|failed\): \(.*\)/\1 \2/p' "$log.plain" >"$tap_scratch/results"
sed -n 's/^inside says: /# /p' "$log.plain"
while read -r result text; do
    tap_check "$text" passed "$result" "$text"
done <"$tap_scratch/results"
# No result was lost on the way.
came_to_its_end()
{
    grep -qx "inside ends $(wc -l <"$tap_scratch/results")" "$log.plain" || {
        tail -n 30 "$log.plain"
        return 1
    }
}

tap_check "the machine came to its end" came_to_its_end
tap_done
