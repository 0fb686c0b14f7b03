# Every planner on every kind of instance.
#
# title: The whole field
# experiment: field
# shape: plan
# caption: Peak over the optimum (over the best proven bound where the optimum is open): the
#   geometric mean over the instances of a family, whose number stands above. Planners are in the
#   order of their mean, those with a plan for every instance first; below the line are those that
#   use several objects instead of one arena. 1 without decimals: the optimum on every instance. A
#   circle: the planner has no plan for some instances of the family, which do not count.
# page: its columns of numbers, one for each family, need that width
# query:
#   with cell as (
#     select contestant, arena, family, place, exp(avg(ln(ratio))) as ratio,
#            count(distinct checksum) as solved
#       from field_result where experiment = ?1 and ratio is not null group by contestant, family),
#   total as (
#     select family, count(distinct checksum) as instances from field_result where experiment = ?1 group by family),
#   row as (
#     select contestant, arena, row_number() over (order by not arena,
#              count(*) filter (where solved = instances) < (select count(*) from total),
#              avg(ln(ratio)), contestant) as line
#       from cell join total using (family) group by contestant)
#   select r.line, dense_rank() over (order by c.place, c.family) as panel, c.ratio,
#          case when c.ratio = 1 then '1' when c.ratio < 9.995 then printf('%.2f', c.ratio)
#               else printf('%.3g', c.ratio) end as label,
#          min(ln(c.ratio), ln(2)) / ln(2) as shade, c.solved < t.instances as partial
#     from cell c join total t using (family) join row r using (contestant)
#    order by 2, 1
# arrays:
#   with cell as (
#     select contestant, arena, family, exp(avg(ln(ratio))) as ratio,
#            count(distinct checksum) as solved
#       from field_result where experiment = ?1 and ratio is not null group by contestant, family),
#   total as (
#     select family, count(distinct checksum) as instances from field_result where experiment = ?1 group by family)
#   select contestant as row_label, arena as row_arena
#     from cell join total using (family) group by contestant
#    order by not arena, count(*) filter (where solved = instances) < (select count(*) from total),
#             avg(ln(ratio)), contestant
# arrays:
#   select family || ' (' || count(distinct checksum) || ')' as column_label
#     from field_result where experiment = ?1 group by family order by place, family

load 'style.gp'
rows = |row_label|
columns = |column_label|
room_left = room_names
room_right = 0.52
room_above = 0.82
room_below = 0.1
eval panels(1, 1, 0.14 * rows)
eval panel(1)
eval name_rows(1)
@cells
set xrange [0.5:columns + 0.5]
set for [i = 1:columns] label 100 + i column_label[i] noenhanced at first i - 0.2, screen edge_top(1) + 0.06 / height \
    left rotate by 40
objects = 0
do for [i = 1:rows] { if (row_arena[i] == 0 && objects == 0) { objects = i } }
if (objects > 0) {
    set arrow 1 from screen 0.01, first objects - 0.5 to graph 1, first objects - 0.5 nohead \
        linecolor rgb '#000000' linewidth 0.8 front
}
@blues
plot 'field.csv' using 'panel':'line':(0.5):(0.5):'shade' with boxxyerror fillstyle solid \
        border linecolor rgb '#ffffff' fillcolor palette, \
    '' using 'panel':'line':'label':(ink(column('shade'))) with labels textcolor rgb variable, \
    '' using (column('partial') == 1 ? column('panel') + 0.38 : NaN):'line':(ink(column('shade'))) \
        with points pointtype 6 pointsize 0.35 linecolor rgb variable
unset multiplot
