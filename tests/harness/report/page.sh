#!/bin/sh
# The page of a report, opened in a browser: it is whole by itself, its tables sort and filter,
# and on paper nothing is cut.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
arenabench=${top_builddir:?}/arenabench
cd "$tap_scratch" || exit 99

cat "$top_srcdir/tests/support/stack.awk" >stack.awk
"$arenabench" sweep 'uniform:n=8,seed={1..9}' resnet18 --output results \
    --solvers '@heuristics,branch-and-bound@1s,exec:mine=awk -f stack.awk' >/dev/null 2>&1 || exit 99
tap_check "a report" tap_exits 0 "$arenabench" report results
page=results/report.html

tap_check "it opens with what was compared" grep -q \
    '^<p>[0-9]* runs of [0-9]* planners on 10 instances. The optimum of 10 is known' "$page"
tap_check "and with an answer" grep -q '<h2 id="table-adhoc-answer">adhoc: Which planner?</h2>' "$page"
tap_check "in a sentence a kind of instance" tap_same \
    "$(sed -n '/<ul class="answer">/,/<\/ul>/p' "$page" | grep -c '^<li>\(networks\|uniform\): [0-9]* instances*,')" 2
tap_check "and one for a program of one's own" grep -q \
    '^<li>exec:mine: [0-9.]* % above the optimum on average over all 10 instances (95 %: .*), place [0-9]* of the [0-9]* planners' "$page"
loaded()
{
    grep -oE '(src|href)="[^"]*"|url\([^)]*\)|@import' "$page" |
        grep -vE '^src="data:|^href="(#|figures/|tables/)'
}
tap_check "nothing is loaded from elsewhere" tap_nothing loaded

browser=
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && browser=$name && break
done
# In a home of its own; a browser that can't start here is none.
browse()
{
    HOME=$tap_scratch timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
        --user-data-dir="$tap_scratch/profile" "$@" 2>/dev/null
}
if [ -z "$browser" ] || ! browse --dump-dom "file://$PWD/$page" | grep -q '</html>'; then
    tap_skip "no browser: chromium"
    tap_done
    exit
fi

# Clicks and words as a reader's, and what then stands there.
cat >clicks.js <<'END'
const said = [];
const table = document.querySelector("#table-summary table");
const column = (table, name) => Array.from(table.tHead.rows[0].cells).findIndex(
  head => head.textContent === name);
const shown = (table, at) => Array.from(table.tBodies[0].rows).filter(row => !row.hidden).map(
  row => row.cells[at].textContent);
const who = column(table, "contestant"), time = column(table, "time ms");
said.push("rows " + shown(table, who).length);
table.tHead.rows[0].cells[who].click();
said.push("by name " + shown(table, who).slice(0, 2).join(" "));
table.tHead.rows[0].cells[who].click();
said.push("back " + shown(table, who).slice(0, 2).join(" "));
table.tHead.rows[0].cells[time].click();
const times = shown(table, time).filter(text => text !== "").map(Number);
said.push("by time " + times.every((value, i) => i === 0 || times[i - 1] <= value));
const field = document.querySelector("#table-summary input.filter");
field.value = "tflm";
field.dispatchEvent(new Event("input"));
said.push("filtered " + shown(table, who).join(" "));
field.value = "";
field.dispatchEvent(new Event("input"));
said.push("all again " + shown(table, who).length);
const part = document.querySelector("#table-experiments");
said.push("folded " + !part.open);
window.dispatchEvent(new Event("beforeprint"));
said.push("on paper " + part.open);
window.dispatchEvent(new Event("afterprint"));
said.push("and after " + part.open);
said.push("pictures " + Array.from(document.images).every(image => image.naturalWidth > 100 || !image.complete));
const result = document.createElement("pre");
result.id = "said";
result.textContent = "\n" + said.join("\n") + "\n";
document.body.appendChild(result);
END
{ cat "$page" && echo '<script>window.addEventListener("load", () => {' && cat clicks.js && echo '});</script>'; } >clicked.html
browse --dump-dom "file://$PWD/clicked.html" | sed -n '/<pre id="said">/,/<\/pre>/p' | sed '1d;$d' >said
rows=$(sed 1d results/tables/summary.csv | wc -l)
names=$(sed 1d results/tables/summary.csv | cut -d, -f2 | LC_ALL=C sort)
tap_check "tables sort, filter, fold and unfold" tap_same "$(cat said)" "rows $rows
by name $(echo "$names" | head -n 2 | tr '\n' ' ' | sed 's/ $//')
back $(echo "$names" | tail -n 2 | sort -r | tr '\n' ' ' | sed 's/ $//')
by time true
filtered tflm
all again $rows
folded true
on paper true
and after false
pictures true"

tap_check "it prints" browse --no-pdf-header-footer --print-to-pdf="$PWD/page.pdf" "file://$PWD/$page"
if command -v pdftotext >/dev/null; then
    pdftotext -layout page.pdf page.txt
    tap_check "with the last column of the widest table" grep -q 'time ms' page.txt
    tap_check "on a few pages" test "$(tr -cd '\f' <page.txt | wc -c)" -le 25
else
    tap_skip "pdftotext is not here"
fi
tap_done
