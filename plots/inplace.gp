# What sharing memory in place saves, by planner.
#
# title: Peak by in-place treatment and planner
# experiment: inplace
# caption: Peak over the load without any sharing in place (alias=off, inplace=off), nothing
#   fused; a planner a panel.  Reshapes are free in all treatments but none; the rules
#   of NNC and MegEngine say which operators overwrite their input; with concat=place the
#   parts of a concatenation lie in it from the start, by MegEngine's rule for the rest.
#   path-cover and greedy-by-size plan with the rectangles around shaped buffers.
# query:
#   with network as (
#     select base, load, row_number() over (order by base) as line
#       from (select distinct base, load from shared_result
#              where experiment = 'inplace' and alias_of = 'off' and inplace_of = 'off'
#                and concat_of = 'copy' and base not like '%fuse=%'))
#   select s.contestant, n.base as network, n.line, t.column4 as treatment,
#          s.peak * 1.0 / n.load as ratio
#     from shared_result s
#     join network n using (base)
#     join (values ('off', 'off', 'copy', 1), ('on', 'off', 'copy', 2),
#                  ('on', 'nnc', 'copy', 3), ('on', 'megengine', 'copy', 4),
#                  ('on', 'off', 'place', 5), ('on', 'megengine', 'place', 6)) t
#       on t.column1 = s.alias_of and t.column2 = s.inplace_of and t.column3 = s.concat_of
#    where s.experiment = 'inplace' and s.peak is not null and s.outcome <> 'invalid'
#    order by s.number, n.line, t.column4
# arrays:
#   select contestant as panel, min(number) as number from shared_result
#    where experiment = 'inplace' and peak is not null group by contestant order by min(number)
# arrays:
#   select distinct replace(base, ':grouped=', ' ') as row_label from shared_result
#    where experiment = 'inplace' and base not like '%fuse=%' order by base

load 'style.gp'
array treatment[6] = ['none', 'aliases', 'aliases, nnc', 'aliases, megengine', \
                      'aliases, place', 'aliases, megengine, place']
panels = |panel|
rows = |row_label|
height = 0.35 + 0.19 * (rows < 5 ? 5 : rows) + 0.82
eval paper(7.0, height)
set multiplot
set datafile separator comma

left = 0.22
right = 0.985
space = 0.02
panel_width = (right - left - (panels - 1) * space) / panels
set tmargin at screen 1 - 0.3 / height
set bmargin at screen 0.82 / height
set key at screen 0.55, 0.0 center bottom vertical maxrows 2 Left reverse samplen 2 width -1

stats 'inplace.csv' using 'ratio' nooutput
set yrange [rows + 0.6:0.4]
set xtics 0.2
set ytics scale 0 noenhanced ()
set for [i = 1:rows] ytics add (tick(row_label[i]) i)
unset grid
set grid xtics
set for [i = 1:rows - 1] arrow i from graph 0, first i + 0.5 to graph 1, first i + 0.5 \
    nohead linecolor rgb '#e4e4e4' linewidth 0.6 back
set arrow 1000 from first 1, graph 0 to first 1, graph 1 nohead linecolor rgb '#888888' \
    linewidth 0.8 back
set label 1 'peak / load with nothing shared' at screen 0.5 * (left + right), \
    screen 0.5 / height center
dodge(t) = (t - 3.5) * 0.13
shown(p, t) = stringcolumn('contestant') eq panel[p] && column('treatment') == t

set xrange [0.95 * STATS_min:1.03 * STATS_max]
do for [p = 1:panels] {
    set lmargin at screen left + (p - 1) * (panel_width + space)
    set rmargin at screen left + (p - 1) * (panel_width + space) + panel_width
    set title panel[p] noenhanced
    if (p > 1) { unset ytics; unset key; unset label 1 }
    plot for [t = 1:6] 'inplace.csv' \
        using (shown(p, t) ? column('ratio') : NaN):(column('line') + dodge(t)) \
        with points linestyle t title treatment[t]
}
unset multiplot
