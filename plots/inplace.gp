# What sharing memory in place saves, by planner.
#
# title: Peak by in-place treatment and planner
# experiment: inplace
# caption: How far the peak is above the load with nothing shared in place (alias=off, inplace=off),
#   in per cent: blue cells are below that load, orange ones above, and a white cell without
#   a number is equal to it; grey: no plan. Nothing is fused. One block of columns per planner, one
#   column per treatment: nothing is shared; aliases, that is, reshapes are free; aliases and one
#   of two rules for which operators overwrite their input, that of NNC or that of MegEngine;
#   aliases and parts of a concatenation that lie in it from the start (place); and
#   all of this with the rule of MegEngine. path-cover and greedy-by-size plan with the
#   rectangles around buffers that have a shape.
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
array treatment[6] = ['nothing', 'aliases', 'aliases, nnc', 'aliases, megengine', \
                      'aliases, place', 'aliases, megengine, place']
rows = |row_label|
room_left = room_for_names(either(55, 13))
room_right = either(0.04, 0.09)
room_above = 0.24
room_inner = 0.12
room_below = 1.22
room_beside = either(0.1, 0.06)
room_key = 0.42
eval panels(|panel|, either(4, 2), 0.16 * rows)
stats 'inplace.csv' using (abs(100 * (column('ratio') - 1))) nooutput
most = STATS_max > 1 ? STATS_max : 1
@cells
set palette defined (-1 '#0072B2', -0.5 '#8fc1e3', 0 '#ffffff', 0.5 '#f5c26b', 1 '#E69F00')
set cbrange [-most:most]
set xrange [0.5:6.5]
set format cb '%g'
set cbtics offset 0, 0.5
shown(p) = stringcolumn('contestant') eq panel[p]
percent(ratio) = sprintf('%.0f', 100 * (ratio - 1))
do for [p = 1:|panel|] {
    eval panel(p)
    eval name_rows(p)
    set title panel[p] noenhanced @small
    unset label
    if (lowest(p)) {
        set for [t = 1:6] label t treatment[t] at first t + 0.2, screen edge_bottom(p) - 0.06 / height right rotate by 50
    }
    if (p == |panel|) {
        set colorbox horizontal user origin 0.5 - 0.9 / inches, 0.3 / height size 1.8 / inches, 0.08 / height
        set label 7 'peak above the load with nothing shared, %' at screen 0.5, screen 0.06 / height center
    }
    set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb '#bbbbbb' fillstyle solid noborder
    plot 'inplace.csv' using (shown(p) ? column('treatment') : NaN):'line':(0.5):(0.5):(100 * (column('ratio') - 1)) \
            with boxxyerror fillstyle solid border linecolor rgb '#e4e4e4' fillcolor palette, \
        '' using (shown(p) ? column('treatment') : NaN):'line':(percent(column('ratio')) + 0 == 0 ? '' : percent(column('ratio'))): \
                (1 - column('ratio') > 0.007 * most ? 0xffffff : 0x000000) \
            with labels textcolor rgb variable @small
}
unset multiplot
