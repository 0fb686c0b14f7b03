# Peak over load of each planner on each network.
#
# title: Peak of each planner on networks
# experiment: networks
# caption: Peak over load, on a logarithmic axis; the load is a lower bound on every
#   peak.  One panel for each fusion: none (convolution, batch normalisation and
#   activation separate), bn (normalisation folded), all (activation fused as well).
#   The number at the left is that of the planners whose peak is the optimum, of all in the
#   key; they have no mark, all others have.
#   A vertical bar marks the best proven lower bound where it is above the load; where
#   the optimum is open a grey line goes from the bound to the best peak known.  Bounds
#   and peaks from other runs count (optima.csv).  All other parameters at their
#   defaults; the table of peaks has the rest.
# query:
#   select fuse, network, line, contestant, number, peak * 1.0 / load as ratio,
#          peak = optimum as optimal
#     from network_result
#    where experiment = 'networks' and plain and usable and load > 0
#    order by fuse = 'all', fuse = 'bn', line, number, seq
# query counts:
#   select fuse, line, sum(coalesce(peak = optimum, 0)) as optimal from network_result
#    where experiment = 'networks' and plain and usable and load > 0
#    group by fuse, line order by fuse = 'all', fuse = 'bn', line
# query bounds:
#   select distinct fuse, line, bound * 1.0 / load as ratio,
#          coalesce(upper, bound) * 1.0 / load as upper
#     from network_result
#    where experiment = 'networks' and plain and load > 0 and (bound > load or upper > bound)
#    order by fuse = 'all', fuse = 'bn', line
# arrays:
#   select contestant, min(number) as number from network_result
#    where experiment = 'networks' and plain and usable
#    group by contestant order by min(number)
# arrays:
#   select fuse as panel, 'fuse=' || fuse as panel_title from network_result
#    where experiment = 'networks' and plain
#    group by fuse order by fuse = 'all', fuse = 'bn'
# arrays:
#   select network as row_label from network_result
#    where experiment = 'networks' and plain
#    group by line order by line

load 'style.gp'
panels = |panel|
rows = |row_label|
height = 0.37 + 0.16 * rows + room_below(|contestant|)
eval paper(7.0, height)
set multiplot

left = 0.195
right = 0.985
space = 0.025
panel_width = (right - left - (panels - 1) * space) / panels
set tmargin at screen 1 - 0.3 / height
set bmargin at screen room_below(|contestant|) / height
@key_below

set logscale x 2
set xrange [0.87:*]
set arrow 1000 from first 0.98, graph 0 to first 0.98, graph 1 nohead \
    linecolor rgb '#e4e4e4' linewidth 0.6 back
set xtics (1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32)
set yrange [rows + 0.6:0.4]
set ytics scale 0 noenhanced ()
set for [i = 1:rows] ytics add (tick(row_label[i]) i)
unset grid
set grid xtics
# A hair line between networks.
set for [i = 1:rows - 1] arrow i from graph 0, first i + 0.5 to graph 1, first i + 0.5 \
    nohead linecolor rgb '#e4e4e4' linewidth 0.6 back

# The contestants of one network stand one under the other.
dodge(c) = (c - (|contestant| + 1) / 2.0) * 0.8 / |contestant|
in_panel(p, c) = stringcolumn('fuse') eq panel[p] && column('number') == number[c] \
    && stringcolumn('optimal') ne '1'

set datafile separator comma
do for [p = 1:panels] {
    set lmargin at screen left + (p - 1) * (panel_width + space)
    set rmargin at screen left + (p - 1) * (panel_width + space) + panel_width
    set title panel_title[p] noenhanced
    set xlabel 'peak / load'
    if (p > 1) { unset ytics; unset key }
    plot 'networks-bounds.csv' \
            using (stringcolumn('fuse') eq panel[p] ? column('ratio') : NaN):'line':(column('upper') - column('ratio')):(0) \
            with vectors nohead linecolor rgb '#bbbbbb' linewidth 3 notitle, \
        '' \
            using (stringcolumn('fuse') eq panel[p] ? column('ratio') : NaN):'line':(0):(0.42) \
            with vectors nohead linecolor rgb '#888888' linewidth 1.2 notitle, \
        '' using (stringcolumn('fuse') eq panel[p] ? column('ratio') : NaN):'line':(0):(-0.42) \
            with vectors nohead linecolor rgb '#888888' linewidth 1.2 notitle, \
        for [c = 1:|contestant|] 'networks.csv' \
            using (in_panel(p, c) ? column('ratio') : NaN):(column('line') + dodge(c)) \
            with points linestyle style(contestant[c], number[c]) title contestant[c], \
        'networks-counts.csv' \
            using (stringcolumn('fuse') eq panel[p] ? 0.925 : NaN):'line':'optimal' \
            with labels center textcolor rgb '#444444' notitle
}
unset multiplot
