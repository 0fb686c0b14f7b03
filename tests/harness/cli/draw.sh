#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of plans whose buffers are numbered, and the page that places them one by one, in a
# browser.
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
tap_command=
. "$top_srcdir/tests/support/command.sh"

# By size: big, mid, <b>&, low, which is as large but comes later.  By step: <b>&, big, mid, low.
cat >small.csv <<'END'
id,lower,upper,size,gaps
mid,2,6,6000,4-5@0:2000
<b>&,0,3,4000,
big,1,4,9000,
low,5,6,4000,
END
cat >plan.csv <<'END'
id,lower,upper,size,gaps,offset
mid,2,6,6000,4-5@0:2000,9000
<b>&,0,3,4000,,15000
big,1,4,9000,,0
low,5,6,4000,,0
END
sed 's/,15000$/,16000/; s/,,0$/,,2000/; s/,9000$/,11000/; s/,16000$/,17000/' plan.csv >other.csv

# The line of stacked.svg on which TEXT stands, in 144ths of an inch from above.
height_of()
{
    grep -B1 ">$1<" stacked.svg | sed -n '1s/.*translate([0-9.]*,\([0-9]*\).*/\1/p'
}

if command -v gnuplot >/dev/null; then
    for order in size step; do
            tap_check "numbers by $order" exits 0 draw small.csv plan.csv --order $order --output $order.svg
    done
    "$arenabench" draw small.csv plan.csv >given.svg
    tap_check "a picture has ids" grep -q '>big<' given.svg
    tap_check "... or numbers" sh -c '! grep -q ">big<" size.svg && grep -q ">1<" size.svg'
    tap_check "... which are others" sh -c '! cmp -s size.svg step.svg'
    "$arenabench" solve "$top_srcdir/examples/first-fit.csv" --solver first-fit-by-start 2>/dev/null >stacked.csv
    "$arenabench" draw "$top_srcdir/examples/first-fit.csv" stacked.csv >stacked.svg
    tap_check "large where there is room" sh -c 'grep -B1 ">D<" stacked.svg | grep -q "font-size=\"24"'
    tap_check "... and below the line of the load" test "$(height_of D)" -gt \
        "$(($(height_of 'load 10 bytes') + 20))"
else
    tap_skip "there is no gnuplot"
fi
tap_check "another order" refuses "draw: --order id: expected given, size or step" \
    draw small.csv plan.csv --order id
tap_check "another ending" refuses "the name must end in .svg, .png, .pdf or .html" \
    draw small.csv plan.csv --output plan.htm

tap_check "a page" exits 0 draw small.csv plan.csv other.csv --output two.html
tap_check "... which needs no gnuplot" env PATH=/nowhere "$arenabench" draw small.csv plan.csv \
    --order step --output step.html
tap_check "... of plans alone" refuses "no column 'offset'" draw small.csv small.csv --output none.html
tap_check "... else of nothing" test ! -e none.html
tap_check "no id is markup" sh -c '! grep -q "<b>" two.html'

. "$top_srcdir/tests/support/browser.sh"
browser_shows two.html || tap_skip_all "no browser: chromium"
cat >clicks.js <<'END'
const get = id => document.getElementById(id);
const seen = () => Array.from(document.querySelectorAll("svg")).map(svg =>
  svg.querySelectorAll(".buffer:not(.later)").length).join(" ");
const peaks = () => Array.from(document.querySelectorAll("text.peak"), text => text.textContent).join(", ");
const key = name => document.dispatchEvent(new KeyboardEvent("keydown", {key: name, bubbles: true}));
said.push(document.title + ": " + get("about").textContent);
said.push("all " + seen() + ", " + peaks());
get("first").click();
said.push("none " + seen() + ", " + get("what").textContent);
get("next").click();
said.push(seen() + ", " + get("what").textContent);
said.push(peaks());
key("ArrowRight");
key("ArrowRight");
said.push(seen() + ", " + get("what").textContent);
get("back").click();
said.push(seen() + ", " + get("what").textContent);
key("End");
said.push(seen());
key("Home");
said.push(seen());
get("at").value = 3;
get("at").dispatchEvent(new Event("input"));
said.push("slid " + seen());
said.push("rectangles " + Array.from(document.querySelectorAll("svg:first-of-type .buffer"),
  group => group.querySelectorAll("rect").length).join(" "));
said.push(Array.from(document.querySelectorAll("figcaption"), caption => caption.textContent).join("; "));
get("first").click();
get("play").click();
await new Promise(done => setTimeout(done, 5000));
said.push("played " + seen() + " " + get("play").textContent);
END
cat >said <<'END'
small.csv: a plan, buffer by buffer: 4 buffers, the largest first
all 4 4, peak so far 18.55 KiB, peak so far 20.51 KiB
none 0 0, 0 of 4
1 1, 1 of 4: big, 8.789 KiB, steps 1 to 4, at 0 (plan.csv) and 1.953 KiB (other.csv)
peak so far 8.789 KiB, peak so far 10.74 KiB
3 3, 3 of 4: <b>&, 3.906 KiB, steps 0 to 3, at 14.65 KiB (plan.csv) and 16.6 KiB (other.csv)
2 2, 2 of 4: mid, 5.859 KiB, steps 2 to 6, at 8.789 KiB (plan.csv) and 10.74 KiB (other.csv)
4 4
0 0
slid 3 3
rectangles 1 3 1 1 1 3 1 1
plan.csv: peak 18.55 KiB, the load; other.csv: peak 20.51 KiB, 10.53 % above the load
played 4 4 Play
END
browser_ask two.html clicks.js '' >got
tap_check "the page steps through two plans" diff said got
cat >steps.js <<'END'
document.getElementById("first").click();
for (let i = 0; i < 4; i++) {
  document.getElementById("next").click();
  said.push(document.getElementById("what").textContent.replace(/,.*/, ""));
}
END
tap_check "... in the order of their steps" tap_same "$(browser_ask step.html steps.js '' | tr '\n' ' ')" \
    "1 of 4: <b>& 2 of 4: big 3 of 4: mid 4 of 4: low "
tap_done
