#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of a report, opened in a browser: it is whole by itself, its tables sort and filter,
# and on paper nothing is cut.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
. "$top_srcdir/tests/support/experiments.sh"

cat "$top_srcdir/tests/support/stack.awk" >stack.awk
"$arenabench" sweep 'uniform:n=8,seed={1..9}' resnet18 --output results \
    --solvers '@heuristics,branch-and-bound@60s,exec:mine=awk -f stack.awk' >/dev/null 2>&1 || exit 99
# The page shows the SVG files; the others, which take two thirds of the time, are those of report.sh.
tap_draws_only drawn "*\"format='svg'\"*"
PATH=$PWD/drawn:$PATH
tap_check "a report" tap_exits 0 "$arenabench" report results
page=results/report.html

tap_check "it opens with what was compared" grep -q \
    '^<p>[0-9]* runs of [0-9]* planners on 10 instances. The optimum of 10 is known' "$page"
tap_check "and with an answer" grep -q '<h2 id="table-adhoc-answer">adhoc: Which planner?</h2>' "$page"
tap_check "in a sentence a kind of instance" tap_same \
    "$(sed -n '/<ul class="answer[^"]*">/,/<\/ul>/p' "$page" | grep -c '^<li><b>\(networks\|uniform\)</b>: [0-9]* instances*,')" 2
tap_check "and one for a program of one's own" grep -q \
    '^<li>mine: [0-9.]* % above the optimum on average over all 10 instances (95 %: .*), place [0-9]* of the [0-9]* planners' "$page"
tap_check "a caption says what is bold" grep -q \
    'Bold: the smallest gap mean pct of those with the same experiment\.' "$page"
"$arenabench" sweep resnet18 --solvers greedy-by-size --output one >/dev/null 2>&1 || exit 99
"$arenabench" report one --no-figures >/dev/null 2>&1
tap_check "one is one" grep -q '^<p>1 run of 1 planner on 1 instance\. ' one/report.html
many()
{
    grep -oE '(^|[^0-9.,])1 (runs|planners|instances|real inputs)' one/report.html one/tables/*.txt
}
tap_check "and not many" tap_nothing many
loaded()
{
    sed 's/<noscript>.*<\/noscript>//' "$page" | grep -oE '(src|href)="[^"]*"|url\([^)]*\)|@import' |
        grep -vE '^href="(#|figures/|tables/)'
}
tap_check "no file has the numbers of tasks" sh -c "! grep -l tasks results/tables/adhoc-*.csv results/tables/summary.*"
tap_check "nothing is loaded from elsewhere" tap_nothing loaded

# bounded SED MOST: what SED finds in the page, which is there, has fewer bytes.
bounded()
{
    bytes=$(sed -n "$1" "$page" | wc -c)
    test "$bytes" -gt 1 && test "$bytes" -lt "$2"
}
runs=$(sed -n 's/^<p>\([0-9]*\) runs of .*/\1/p' "$page")
tap_check "its $runs runs take at most 150 bytes each, with their plans' pictures" \
    bounded 's/.*id="runs">\([^<]*\).*/\1/p' $((150 * runs))
if command -v gnuplot >/dev/null; then
    tap_check "a picture takes less than a third of its file" \
        bounded 's/.* data-packed="\([^"]*\)".*/\1/p' $(($(cat results/figures/*.svg | wc -c) / 3))
fi
tap_check "figures are folded" tap_same "$(grep -c '<details class="figure" id="figure-[^"]*"><summary>' "$page")" \
    "$(find results/figures -name '*.svg' | wc -l)"

. "$top_srcdir/tests/support/browser.sh"
browser_shows "$page" || tap_skip_all "no browser: chromium"

# ask PAGE SCRIPT [#PART]: as browser_ask, when what is packed in the page is unpacked.
ask()
{
    browser_ask "$1" "$2" 'await pictures; await readRuns();' "${3-}"
}

# Clicks and words as a reader's, and what then stands there.
cat >clicks.js <<'END'
const table = document.querySelector("#table-summary table");
const column = (table, name) => Array.from(table.tHead.rows[0].cells).findIndex(
  head => head.textContent === name);
const seen = (table, at) => Array.from(table.tBodies[0].rows).filter(row => !row.hidden).map(
  row => row.cells[at].textContent);
const who = column(table, "contestant"), time = column(table, "time ms");
said.push("rows " + seen(table, who).length);
table.tHead.rows[0].cells[who].click();
said.push("by name " + seen(table, who).slice(0, 2).join(" "));
table.tHead.rows[0].cells[who].click();
said.push("back " + seen(table, who).slice(0, 2).join(" "));
table.tHead.rows[0].cells[time].click();
const times = seen(table, time).filter(text => text !== "").map(Number);
said.push("by time " + times.every((value, i) => i === 0 || times[i - 1] <= value));
const field = document.querySelector("#table-summary input.filter");
field.value = "tflm";
field.dispatchEvent(new Event("input"));
said.push("filtered " + seen(table, who).join(" "));
field.value = "";
field.dispatchEvent(new Event("input"));
said.push("all again " + seen(table, who).length);
const part = document.querySelector("#table-experiments");
said.push("folded " + !part.open);
window.dispatchEvent(new Event("beforeprint"));
said.push("on paper " + part.open);
window.dispatchEvent(new Event("afterprint"));
said.push("and after " + part.open);
said.push("pictures " + Array.from(document.images).every(image => image.naturalWidth > 100));
const folded = () => Array.from(document.querySelectorAll("details"), part => part.open ? 1 : 0)
  .reduce((sum, open) => sum + open, 0);
const opener = document.querySelector("#figures button.all"), parts = document.querySelectorAll("details.figure");
said.push("open " + folded() + " of " + (document.querySelectorAll("details").length > parts.length));
opener.click();
said.push("all figures " + (folded() === parts.length));
opener.click();
said.push("folded again " + (folded() === 0));
said.push("contents " + Array.from(document.querySelectorAll("nav a"), link =>
  document.getElementById(link.hash.slice(1)) !== null).every(found => found));
END
ask "$page" clicks.js >said
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
pictures true
open 0 of true
all figures true
folded again true
contents true"

# A link to what is folded opens it, and nothing else.
cat >link.js <<'END'
said.push(Array.from(document.querySelectorAll("details[open]"), part => part.id).join(" "));
END
figure=$(sed -n 's/.*<details class="figure" id="\([^"]*\)".*/\1/p' "$page" | sed 1q)
tap_check "a link opens the figure that it names" tap_same "$(ask "$page" link.js "#$figure")" "$figure"
tap_check "and a table" tap_same "$(ask "$page" link.js '#table-builds')" table-builds

# A row is opened; of its runs that of one planner; the plan is looked at, and Escape closes it.
cat >opens.js <<'END'
const panel = document.getElementById("task"), press = (at, key) =>
  at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const rowsOf = part => Array.from(document.querySelectorAll(part + " tbody tr"));
const fact = name => Array.from(panel.querySelectorAll("dt")).find(
  term => term.textContent === name).nextSibling.textContent;
const look = async planner => {
  const row = Array.from(panel.querySelectorAll("tbody tr")).find(
    row => row.cells[1].textContent === planner);
  row.click();
  await shown();
  const box = Array.from(panel.querySelectorAll("svg rect"), rect => ["x", "y", "width", "height"].map(
    name => Number(rect.getAttribute(name)))), line = panel.querySelector("svg line");
  const apart = (a, b) => a + 1e-6 >= b;
  const free = box.every(([x, y, w, h], i) => box.every(([u, v, s, t], k) => i === k ||
    apart(x, u + s) || apart(u, x + w) || apart(y, v + t) || apart(v, y + h)));
  said.push(planner + " " + fact("peak").replace(/ .*|,/g, ""));
  said.push(box.length + " rectangles of " + fact("buffers") + " apart " + free + " up to the peak "
    + (Math.abs(Math.min(...box.map(([x, y]) => y)) - line.getAttribute("y1")) < 1e-6));
  said.push(panel.querySelector("pre").textContent);
  panel.querySelector("p button").click();
};
const row = rowsOf("#table-adhoc-instances")[1];
row.click();
await shown();
said.push("open " + panel.open + " " + panel.querySelectorAll("tbody tr").length + " runs");
await look("greedy-by-size");
await look("mine");
said.push("back at " + panel.querySelectorAll("tbody tr").length);
press(document.body, "Escape");
said.push("open " + panel.open);
press(row, "Enter");
await shown();
said.push("open " + panel.open);
press(document.body, "Escape");
const cell = Array.from(rowsOf("#table-adhoc-wins")[0].cells).find(
  cell => (cell.dataset.tasks || "").includes(" "));
cell.click();
await shown();
said.push("a cell " + (panel.querySelectorAll("tbody tr").length === cell.dataset.tasks.split(" ").length));
END
ask "$page" opens.js >opened
# What PLANNER's run has for a peak, and what the page's command then says that it has.
peak_of()
{
    sed -n "s/^$1 //p" opened
}
again()
{
    line=$(sed -n "/^$1 /{n;n;p;}" opened)
    eval "\"\$arenabench\" ${line#arenabench }" 2>&1 | sed -n 's/.*, peak \([0-9]*\),.*/\1/p'
}
tap_check "a row, Enter and a cell show their runs, Escape closes" tap_same \
    "$(grep -E '^(open|back|a cell)' opened | sed 's/ [0-9]* runs/ runs/; s/at [0-9]*/at/')" \
    "open true runs
back at
open false
open true
a cell true"
for planner in greedy-by-size mine; do
    tap_check "$planner: a rectangle a buffer, none on another, up to the peak" tap_same "$(sed -n "/^$planner /{n;p;}" opened)" \
        "8 rectangles of 8 apart true up to the peak true"
    peak=$(peak_of "$planner")
    tap_check "$planner: the command gives the same peak" tap_same "$(again "$planner")" "${peak:-one}"
done

# Where a picture is left out the page says so, and how to get it.
printf 'id,lower,upper,size\na,0,2,4\n' >own.csv
"$arenabench" sweep 'uniform:n=1100' own.csv squeezenet1_1:concat=place --output 'left out' --solvers greedy-by-size >/dev/null 2>&1
printf 'id,lower,upper,size\na,0,3,4\n' >own.csv
"$arenabench" report 'left out' --no-figures >/dev/null 2>&1
cat >left.js <<'END'
for (const row of document.querySelectorAll("#table-adhoc-instances tbody tr")) {
  row.click();
  await shown();
  const rects = Array.from(document.querySelectorAll("#task rect"));
  const box = rects.map(rect => rect.getBBox()), whose = rects.map(
    rect => rect.textContent.split(":")[0]);
  const apart = (a, b) => a + 1e-3 >= b;
  const meet = box.some((a, i) => !(a.height > 0) || box.some((b, k) => whose[i] !== whose[k] && !(
    apart(a.x, b.x + b.width) || apart(b.x, a.x + a.width) || apart(a.y, b.y + b.height)
    || apart(b.y, a.y + a.height))));
  const edge = (side, of) => Math.round(Math[of](...box.map(box => side.reduce(
    (sum, name) => sum + box[name], 0))));
  if (box.length > 0)
    said.push(box.length + " rectangles, " + edge(["x"], "min") + " to " + edge(["x", "width"], "max")
      + ", " + edge(["y"], "min") + " to " + edge(["y", "height"], "max")
      + (meet ? ", buffers meet" : ""));
  else
    said.push(Array.from(document.querySelectorAll("#task .missing, #task .missing + pre"),
      part => part.textContent).join(": "));
}
END
ask 'left out/report.html' left.js >left
# One a buffer; three where two values are written into the place of a third.
squeezed()
{
    "$arenabench" lifetimes squeezenet1_1:concat=place 2>/dev/null | sed 1d |
        awk -F, '{ n += $5 != "" ? 3 : 1 } END { print n }'
}
tap_check "a picture that is left out, and one of buffers with gaps" tap_same "$(sed 's/ [0-9] --/ N --/' left | sort)" \
    "$(squeezed) rectangles, 0 to 1000, 0 to 1000
Picture left out: 1100 buffers, and the page holds plans of up to 1000; draw it with: arenabench draw 'left out' N --output plan.svg
Picture left out: own.csv is no longer the instance that it was then."
if command -v gnuplot >/dev/null; then
    draw=$(sed -n 's/.*: arenabench \(draw .*\)/\1/p' left)
    tap_check "its command draws it" sh -c "'$arenabench' $draw && grep -q '<svg' plan.svg"
else
    tap_skip "gnuplot is not here"
fi

# Kernels: times, and a command that runs.
kernel_experiment blocking generic '"c=8,h=9,w=9,k=8,r=3,s=3,pad=1"' \
    '"mgemm", "im2col-openblas", "onednn"'
"$arenabench" sweep blocking.cfg --output kernels >/dev/null 2>&1 || exit 99
"$arenabench" report kernels --no-figures >/dev/null 2>&1
if [ -e kernels/tables/answer-kernels.csv ]; then
    cat >kernel.js <<'END'
document.querySelector("#table-answer-kernels ~ details tr.opens").click();
await shown();
Array.from(document.querySelectorAll("#task tr.opens")).find(
  row => row.cells[1].textContent === "mgemm").click();
await shown();
said.push(document.querySelector("#task pre").textContent);
said.push(Array.from(document.querySelectorAll("#task dt"), term => term.textContent).join());
END
    ask kernels/report.html kernel.js >kernel
    tap_check "a kernel's run" grep -q '^kernel,.*layer,.*,final,its interval,GFLOP/s' kernel
    tap_check "its command runs it" eval "\"\$arenabench\" $(sed -n 's/^arenabench \(conv .*\)/\1/p' kernel)"
else
    tap_skip "no library to compare with is here"
fi

# Networks that ran: what they took, and a command that runs.
run_experiment run '"squeezenet1_1:size=64,fuse=all",
    "squeezenet1_1:size=64,fuse=all,alias=on,inplace=nnc,concat=place"' '"greedy-by-size"' '"mgemm"'
"$arenabench" sweep run.cfg --output executions >/dev/null 2>&1 || exit 99
"$arenabench" report executions --no-figures >/dev/null 2>&1
cat >execution.js <<'END'
document.querySelector("#table-run tr.opens").click();
await shown();
document.querySelector("#task tr.opens").click();
await shown();
said.push(document.querySelector("#task pre").textContent);
said.push(Array.from(document.querySelectorAll("#task dt"), term => term.textContent).join());
END
ask executions/report.html execution.js >execution
tap_check "a network that ran" grep -q '^planner,.*network,.*its interval,rounds,arena,.*outputs' execution
tap_check "its command runs it" eval "\"\$arenabench\" $(sed -n 's/^arenabench \(run .*\)/\1/p' execution)"

tap_check "it prints" browse --no-pdf-header-footer --print-to-pdf="$PWD/page.pdf" "file://$PWD/$page"
if command -v pdftotext >/dev/null; then
    pdftotext -layout page.pdf page.txt
    tap_check "with the last column of the widest table" grep -q 'time ms' page.txt
    tap_check "on a few pages" test "$(tr -cd '\f' <page.txt | wc -c)" -le 25
else
    tap_skip "pdftotext is not here"
fi
tap_done
