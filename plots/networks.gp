# Peak over load of each planner on each network.
#
# title: Peak of each planner on networks
# experiment: networks
# caption: Peak over load, on a logarithmic axis; the load is a lower bound on every peak. One
#   panel for each fusion: none (convolution, batch normalisation and activation separate), bn
#   (normalisation folded), all (activation fused as well). The number at the left says how many
#   of the planners in the key reach the optimum there; these have no mark, all others have one. A
#   vertical bar marks the best proven lower bound where it is above the load; where the optimum
#   is open a grey line goes from the bound to the best peak known. Bounds and peaks from other
#   runs count (optima.csv). All other parameters have their defaults; the table of peaks has the
#   rest.
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
rows = |row_label|
room_left = room_names
room_beside = either(0.17, 0.1)
room_key = room_for_key(|contestant|, longest_contestant)
x_name = 'peak / load'
eval panels(|panel|, 3, 0.16 * rows)
@key_below
@rows_below_each_other
set logscale x 2
set xrange [either(0.87, 0.6):*]
set arrow 1 from first 0.98, graph 0 to first 0.98, graph 1 nohead \
    linecolor rgb '#e4e4e4' linewidth 0.6 back
if (in_column) { set xtics (1, 2, 4, 8, 16, 32) } \
else { set xtics (1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32) }

# The contestants of one network stand one under the other.
dodge(c) = (c - (|contestant| + 1) / 2.0) * 0.8 / |contestant|
of(p) = stringcolumn('fuse') eq panel[p] ? column('ratio') : NaN
marked(p, c) = column('number') == number[c] && stringcolumn('optimal') ne '1' ? of(p) : NaN
do for [p = 1:|panel|] {
    eval panel(p)
    eval name_axes(p)
    # Three names do not fit beside each other in a column.
    if (in_column && |panel| == 3 && p != 2) { set xlabel '' }
    eval name_rows(p)
    set title panel_title[p] noenhanced
    plot 'networks-bounds.csv' using (of(p)):'line':(column('upper') - column('ratio')):(0) \
            with vectors nohead linecolor rgb '#bbbbbb' linewidth 3 notitle, \
        for [side = -1:1:2] '' using (of(p)):'line':(0):(0.42 * side) \
            with vectors nohead linecolor rgb '#888888' linewidth 1.2 notitle, \
        for [c = 1:|contestant|] 'networks.csv' using (marked(p, c)):(column('line') + dodge(c)) \
            with points linestyle style(contestant[c], number[c]) title short(contestant[c]), \
        'networks-counts.csv' using (stringcolumn('fuse') eq panel[p] ? either(0.925, 0.77) : NaN):'line':'optimal' \
            with labels center textcolor rgb '#444444' notitle
    unset key
}
unset multiplot
