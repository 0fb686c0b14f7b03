# SPDX-License-Identifier: GPL-3.0-or-later
# A browser without a window, for tests of pages; after tap.sh.

# browse OPTION... URL: in a home of its own.
browser=
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && browser=$name && break
done
browse()
{
    HOME=$tap_scratch timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
        --user-data-dir="$tap_scratch/profile" "$@" 2>/dev/null
}

# browser_shows PAGE: there is a browser, and it can start here.
browser_shows()
{
    [ -n "$browser" ] && browse --dump-dom "file://$PWD/$1" | grep -q '</html>'
}

# What browser_ask writes behind the lines of a script.
cat >browser_say.js <<'END'
const result = document.createElement("pre");
result.id = "said";
result.textContent = "\n" + said.join("\n") + "\n";
document.body.appendChild(result);
END

# browser_ask PAGE SCRIPT BEFORE [#PART]: the lines that the script adds to `said` when the page is
# loaded and what BEFORE awaits is done; it may wait until what it has clicked is shown.
browser_ask()
{
    {
        cat "$1" && echo '<script>window.addEventListener("load", async () => { const said = [];
            const shown = () => new Promise(done => setTimeout(done, 0));' "$3"
        cat "$2" browser_say.js && echo '});</script>'
    } >"${1%.html}-asked.html"
    browse --virtual-time-budget=60000 --dump-dom "file://$PWD/${1%.html}-asked.html${4-}" |
        sed -n '/<pre id="said">/,/<\/pre>/p' | sed '1d;$d;s/&gt;/>/g;s/&lt;/</g;s/&amp;/\&/g'
}
