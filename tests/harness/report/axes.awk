# SPDX-License-Identifier: GPL-3.0-or-later
# Axes of pictures that go on where there are no data: of gnuplot's SVG files, each tick with a
# label against what is drawn.  At an end of an axis one label may stand beyond the data, more only
# where the axis ends at 0 or 1: shares and ratios.  Panels with the same ticks count as one, since
# their common scale is for comparing them.
#
# gnuplot writes a tick and the place of its label in a line, the text in the next; the frame of a
# panel as a path of five points before its plots; what a plot draws between <g id="gnuplot_plot_1a"> (a letter a
# panel) and the </g> of the same depth.

function abs(x) { return x < 0 ? -x : x }

function pairs_of(text,    pair, at) {
    gsub(/rgb\([^)]*\)|stroke-dasharray=.[0-9.,]*|scale\([^)]*\)|font-size="[^"]*"|rotate\([^)]*\)/, "", text)
    n_pairs = 0
    while (match(text, /-?[0-9]+(\.[0-9]+)?,-?[0-9]+(\.[0-9]+)?/)) {
        split(substr(text, RSTART, RLENGTH), pair, ",")
        n_pairs++
        pair_x[n_pairs] = pair[1] + 0
        pair_y[n_pairs] = pair[2] + 0
        text = substr(text, RSTART + RLENGTH)
    }
    return n_pairs
}

# What is drawn at X, Y; a key's sample is beside its text.
function point(x, y) {
    if (text_x != "" && abs(y - text_y) < 14 && abs(x - text_x) < 90)
        return
    if (framed && (x < frame_left - 2 || x > frame_right + 2 || y < frame_top - 2 || y > frame_bottom + 2))
        return
    extend("x", x)
    extend("y", -y)
}

function extend(axis, value,    i) {
    if (n_ticks[axis] < 3)
        return
    i = axis_of[axis]
    value -= first_tick[axis]
    if (!(i in low) || value < low[i]) low[i] = value
    if (!(i in high) || value > high[i]) high[i] = value
}

# The axis of this picture whose ticks are at the same places, or 0.
function find_axis(axis,    i, j, same) {
    for (i = 1; i <= axes; i++) {
        same = file[i] == FILENAME && which[i] == axis && size[i] == n_ticks[axis]
        for (j = 1; same && j <= n_ticks[axis]; j++)
            same = abs(place[i, j] - (tick[axis, j] - first_tick[axis])) < 1.5
        if (same)
            return i
    }
    return 0
}

# The ticks of a panel whose first plot begins are one axis with those of the same places.
function begin_axis(axis,    i, j, key, position, label) {
    # Insertion sort by position.
    for (i = 2; i <= n_ticks[axis]; i++)
        for (j = i; j > 1 && tick[axis, j] < tick[axis, j - 1]; j--) {
            position = tick[axis, j]; tick[axis, j] = tick[axis, j - 1]; tick[axis, j - 1] = position
            label = name[axis, j]; name[axis, j] = name[axis, j - 1]; name[axis, j - 1] = label
        }
    first_tick[axis] = tick[axis, 1]
    key = find_axis(axis)
    if (!key) {
        key = ++axes
        file[key] = FILENAME
        which[key] = axis
        size[key] = n_ticks[axis]
    }
    axis_of[axis] = key
    for (i = 1; i <= n_ticks[axis]; i++) {
        place[key, i] = tick[axis, i] - first_tick[axis]
        if (name[axis, i] != "")
            word[key, i] = name[axis, i]
    }
}

function end_axes() {
    n_ticks["x"] = n_ticks["y"] = 0
    began = 0
}

FNR == 1 { depth = 0; plot_depth = 0; end_axes(); framed = 0; panel = "" }

{ opened = gsub(/<g /, "&"); closed = gsub(/<\/g>/, "&") }

# A tick and its label's place.
plot_depth == 0 && /<path stroke=.rgb\( 68,  68,  68\).*<g transform=/ {
    if (began)
        end_axes()
    waiting = ""
    if (pairs_of(substr($0, 1, index($0, "/>"))) == 2) {
        waiting = abs(pair_x[1] - pair_x[2]) < 0.01 ? "x" : "y"
        tick[waiting, ++n_ticks[waiting]] = waiting == "x" ? pair_x[1] : -pair_y[1]
        name[waiting, n_ticks[waiting]] = ""
    }
}
plot_depth == 0 && /<text>/ && waiting != "" {
    text = $0
    gsub(/<[^>]*>|[ \t]/, "", text)
    name[waiting, n_ticks[waiting]] = text
    waiting = ""
}
# The frame: two borders, and where the two that are not drawn would begin and end.
plot_depth == 0 && /<path stroke=.rgb\( 68,  68,  68\)/ && pairs_of(substr($0, 1, index($0, "/>"))) == 5 {
    framed = 1
    frame_left = frame_right = pair_x[1]
    frame_top = frame_bottom = pair_y[1]
    for (i = 2; i <= 5; i++) {
        if (pair_x[i] < frame_left) frame_left = pair_x[i]
        if (pair_x[i] > frame_right) frame_right = pair_x[i]
        if (pair_y[i] < frame_top) frame_top = pair_y[i]
        if (pair_y[i] > frame_bottom) frame_bottom = pair_y[i]
    }
}
/<g id="gnuplot_plot_/ {
    if (!began) {
        begin_axis("x")
        begin_axis("y")
        began = 1
    }
    plot_depth = depth + 1
    text_x = ""
}
plot_depth > 0 && /text-anchor/ && pairs_of($0) >= 1 { text_x = pair_x[1]; text_y = pair_y[1] }
plot_depth > 0 && !/text-anchor/ && !/<text>/ && !/<g / {
    n = pairs_of($0)
    for (i = 1; i <= n; i++)
        point(pair_x[i], pair_y[i])
}
{
    depth += opened - closed
    if (plot_depth > 0 && depth < plot_depth)
        plot_depth = 0
}

END {
    for (i = 1; i <= axes; i++) {
        if (size[i] < 3 || !(i in low))
            continue
        below = above = 0
        for (t = 1; t <= size[i]; t++) {
            below += place[i, t] < low[i] - 4
            above += place[i, t] > high[i] + 4
        }
        sub(/.*\//, "", file[i])
        if (below > 1 && word[i, 1] !~ /^[01]$/ && word[i, 1] != "")
            print file[i] ": the " which[i] " axis begins at " word[i, 1] ", " below " labels below the data"
        if (above > 1 && word[i, size[i]] != "1" && word[i, size[i]] != "")
            print file[i] ": the " which[i] " axis ends at " word[i, size[i]] ", " above " labels beyond the data"
    }
}
