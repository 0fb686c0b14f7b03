#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fetch_data over a table of its own, from files that curl serves, with faults that a
# stand-in for curl has; and that the program finds what was fetched.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

project_table=$top_srcdir/build-aux/data.tsv
real=$(tap_data)
no_proxy=127.0.0.1
CURL=$(command -v curl) || tap_skip "curl is not here"
export no_proxy CURL
[ -n "$CURL" ] || tap_done

# --- a tree with blanks in its path, a server's folder, and packages ---

web=$tap_scratch/web/some/repository/0123
mkdir -p "$tap_scratch/a tree/build-aux" "$web"
cp "$top_srcdir/fetch_data" "$top_srcdir/run_sweep" "${top_builddir:?}/arenabench" "$tap_scratch/a tree"
cd "$tap_scratch" && mkdir -p bin package want/a want/b few || exit 99
echo one >want/a/one.txt
seq 20000 >want/a/two.txt
printf 'id,lower,upper,size\nx,0,2,5\ny,1,3,7\n' >want/b/three.csv
cp want/*/* "$web"
echo five >package/five.onnx
while read -r file source origin; do
    printf '%s\t%s\t%s\t%s\tMIT and so on\n' "$file" "$(wc -c <"$source")" \
        "$(sha256sum <"$source" | cut -d' ' -f1)" "$(echo "$origin" | tr : '\t')"
done >'a tree/build-aux/data.tsv' <<END
file want/a/one.txt origin:commit:path
a/one.txt want/a/one.txt some/repository:0123:one.txt
a/two.txt want/a/two.txt some/repository:0123:two.txt
b/three.csv want/b/three.csv some/repository:0123:three.csv
c/five.onnx package/five.onnx Debian some-testdata 1.0:-:${tap_scratch#/}/package/five.onnx
c/none.onnx package/five.onnx Debian more-testdata 1.0:-:${tap_scratch#/}/package/none.onnx
d/six.onnx package/five.onnx npm @some/models 1.2.3:-:package/five.onnx
d/gone.onnx package/five.onnx npm @some/models 1.2.3:-:package/gone.onnx
END

# What each line of `faults` says, STATUS HTTP-CODE BYTES, happens to a request: as many bytes
# come, then that.
cat >bin/curl <<'END'
#!/bin/sh
for address; do :; done
echo "${address##*/}" >>asked
read -r status code bytes <faults || exec "$CURL" "$@"
sed -i 1d faults
while [ "$1" != -o ]; do shift; done
[ "$bytes" -eq 0 ] || "$CURL" -s "$address" | head -c "$bytes" >"$2"
printf '%s' "$code"
exit "$status"
END
cat >bin/npm <<END
#!/bin/sh
echo "\$*" >>"$tap_scratch/asked"
tar -czf some-models.tgz -C "$tap_scratch" package && echo some-models.tgz
END
chmod +x bin/*
PATH=$tap_scratch/bin:$PATH

# fetch STATUS TEXT [ARGUMENT...]: a run ends with the status, and said the text.
fetch()
{
    ends=$1
    text=$2
    shift 2
    : >asked
    tap_exits "$ends" 'a tree/fetch_data' --from "file://$tap_scratch/web" "$@" && tap_says err "$text"
}

# fresh FAULTS STATUS TEXT: a run into an empty folder.
fresh()
{
    rm -rf 'a tree/data' && printf '%b' "$1" >faults && shift && fetch "$@" a b
}

# only FILE...: these are there and nothing else.
only()
{
    tap_same "$(cd 'a tree/data' && find . -type f | LC_ALL=C sort | tr '\n' ' ')" "$*"
}

# --- as it should be ---

: >faults
tap_check "all files are fetched" fetch 0 " 4 fetched, 0 there before, 0 missing or damaged, in $tap_scratch/a tree/data"
tap_check "a package that is not installed is named" tap_says err 'c/none.onnx is left out.* apt-get install more-testdata$'
tap_check "npm packages have to be asked for" tap_says err 'd/six.onnx is left out.* ./fetch_data npm$'
tap_check "a file of a package is the package's" cmp 'a tree/data/c/five.onnx' package/five.onnx
tap_check "a second run has nothing to do" fetch 0 ' 0 fetched, 4 there before, 0 missing'
tap_check "and asks for nothing" test ! -s asked
tap_check "--check finds all in order" fetch 0 ' 4 there before, 0 missing' --check
rm -r 'a tree/data/c'
tap_check "they are whole, and nothing else is there" diff -r want 'a tree/data'

echo six >package/five.onnx
tap_check "another version of a package is refused" fetch 1 'c/five.onnx cannot be had with SHA-256' c
tap_check "and gets no name" test ! -e 'a tree/data/c/five.onnx'
echo five >package/five.onnx
tap_check "a file of an npm package, when asked for" fetch 1 ' 1 fetched, 0 there before, 1 missing' 'd/*'
tap_check "is the package's" cmp 'a tree/data/d/six.onnx' package/five.onnx
tap_check "of the version that is named" tap_says asked '^pack --silent @some/models@1.2.3$'
tap_check "one that is not in it is an error" tap_says err "d/gone.onnx cannot be had .* npm's @some/models$"

tap_check "--list of one" tap_exits 0 'a tree/fetch_data' --list b
tap_check "has its size, origin and licence, and the sum" tap_same "$(tr -s ' ' <out | cut -d';' -f1)" \
    "$(printf 'b/three.csv 36 some/repository MIT and so on\n1 files, 36 bytes')"
rm -r 'a tree/data'
tap_check "patterns" fetch 0 ' 2 fetched' b/ 'a/o*'
tap_check "these files only" only ./a/one.txt './b/three.csv '
tap_check "another folder" fetch 0 ' 1 fetched' b --output 'an output'
tap_check "has it" cmp want/b/three.csv 'an output/b/three.csv'

# --- faults ---

# The server's first half is another one: only who goes on at the half has the right file.
head -c 50000 want/a/two.txt >half
{ tr 1 2 <half && tail -c +50001 want/a/two.txt; } >"$web/two.txt"
rm -r 'a tree/data' && mkdir -p 'a tree/data/a'
cp half 'a tree/data/a/two.txt.part'
tap_check "what was cut goes on where it stopped" fetch 0 ' 3 fetched' a b
tap_check "to the end" diff -r want 'a tree/data'
echo other >'a tree/data/a/two.txt'
tap_check "a wrong checksum is an error" fetch 1 "a/two.txt cannot be had with SHA-256 .* from file://$web/two.txt" a b
tap_check "after three tries" tap_same "$(grep -c two.txt asked)" 3
tap_check "and replaces nothing" tap_same "$(cat 'a tree/data/a/two.txt')" other
tap_check "nothing of it is left" only ./a/one.txt ./a/two.txt './b/three.csv '
cp want/a/two.txt "$web"

tr 3 4 <half >'a tree/data/a/two.txt.part'
tap_check "a damaged file with a wrong part is fetched again" fetch 0 ' 1 fetched, 2 there' a b
tap_check "whole" diff -r want 'a tree/data'
mv 'a tree/data/a/two.txt' 'a tree/data/a/two.txt.part'
rm 'a tree/data/a/one.txt' && echo 'one, and more' >'a tree/data/a/one.txt.part'
tap_check "parts that are whole or too long" fetch 0 ' 2 fetched' a b
tap_check "are taken, or fetched again" diff -r want 'a tree/data'
tap_check "a whole one needs no request" tap_same "$(grep -c two.txt asked)" 0

tap_check "a cut connection, a server in trouble" fresh '0 200 4\n18 200 50000\n22 503 0\n' 0 ' 3 fetched'
tap_check "whole" diff -r want 'a tree/data'
rm 'a tree/data/a/'*
cp half 'a tree/data/a/one.txt.part'
tr 3 4 <half >'a tree/data/a/two.txt.part'
printf '22 416 0\n0 200 4\n33 200 0\n' >faults
tap_check "a server without ranges, or nothing behind a part" fetch 0 ' 2 fetched' a
tap_check "then from the beginning" tap_same "$(tr '\n' ' ' <asked)" 'one.txt one.txt two.txt two.txt '
tap_check "a server that stays in trouble" fresh '22 500 0\n22 500 0\n22 500 0\n' 1 'a/one.txt cannot be had'
tap_check "is not asked for ever" tap_same "$(grep -c one.txt asked)" 3
tap_check "the other files are there" only ./a/two.txt './b/three.csv '
tap_check "a file that the server lacks" fresh '22 404 0\n' 1 ' 2 fetched, 0 there before, 1 missing'
tap_check "is asked for once" tap_same "$(grep -c one.txt asked)" 1
tap_check "a line that is cut each time" fresh '18 200 2\n28 200 0\n56 200 0\n' 1 'a/one.txt cannot be had'
tap_check "leaves a part, without the name" only ./a/one.txt.part ./a/two.txt './b/three.csv '
tap_check "without network" fetch 1 '/one.txt cannot be reached' --from http://127.0.0.1:1
tap_check "one request tells" tap_same "$(grep -c . asked)" 1

echo other >'a tree/data/b/three.csv'
cp -R 'a tree/data' before
tap_check "--check says what is damaged" fetch 1 'b/three.csv is damaged' --check
tap_check "and what is missing" tap_says err 'a/one.txt is missing$'
tap_check "it changes nothing" diff -r before 'a tree/data'
tap_check "two at once are refused" tap_exits 1 flock 'a tree/data' 'a tree/fetch_data'
tap_check "with the reason" tap_says err 'another one is at work in .*/a tree/data$'

# --- bad usage ---

tap_check "an unknown option" fetch 2 "unknown option '--frobnicate'" --frobnicate
tap_check "an option without its value" fetch 2 '--output wants a value' a --output
tap_check "a pattern without a file" fetch 2 "no file matches 'nothing[*]'" a 'nothing*'
for tool in sh dirname sed; do ln -s "$(command -v $tool)" few; done
tap_check "without curl" tap_exits 2 env PATH="$tap_scratch/few" 'a tree/fetch_data'
tap_check "its package is named" tap_says err 'curl is missing: apt-get install curl$'
mv 'a tree/build-aux/data.tsv' .
tap_check "no table" fetch 2 'data.tsv: cannot be read'

# --- the program in that tree, and the project's own table ---

cp want/b/three.csv 'a tree/data/b'
tap_check "the program finds what was fetched" tap_exits 0 env -u ARENABENCH_DATA \
    'a tree/arenabench' lifetimes data:b/three.csv
tap_check "and reads it" cmp out want/b/three.csv

odd_rows()
{
    awk -F '\t' 'NR > 1 && (NF != 7 || $1 $6 $5 ~ "[^A-Za-z0-9_./-]" || $1 ~ "^[/-]|[.][.]" ||
        $2 !~ "^[1-9][0-9]*$" || length($3) != 64 || $3 ~ "[^0-9a-f]" || $4 !~ \
        "^(Debian [a-z0-9.+-]+ [^ ]+|npm @?[a-z0-9./-]+ [0-9.]+|[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)$" ||
        $4 !~ "^(Debian|npm) " && $5 !~ "^[0-9a-f]+$")' "$project_table"
    cut -f1 "$project_table" | sort | uniq -d
}
tap_check "the project's table is well-formed, each file comes once" tap_nothing odd_rows
[ -f "$real/MANIFEST.tsv" ] || tap_skip "no MANIFEST.tsv with the real inputs"
[ -f "$real/MANIFEST.tsv" ] || tap_done
# What npm packages have is no part of the folder.
awk -F '\t' '$4 !~ "^npm "' "$project_table" >public.tsv
tap_check "it lists what the folder of real inputs lists" cmp public.tsv "$real/MANIFEST.tsv"
tap_check "the folder has what it lists" "$top_srcdir/fetch_data" --check --output "$real"
tap_done
