# What it costs not to know the future.
#
# title: Allocators and static planners
# experiment: online
# caption: Peak over the optimum (over the best proven bound where the optimum is open): the
#   geometric mean over the instances of a family, whose number stands above. First, in the order of
#   their mean, planners that see one request after the other and never look at what comes later;
#   below the first line planners that compilers and runtimes ship and that know all lifetimes; below
#   the second one other static planners and searches. 1 without decimals: the optimum on every
#   instance. A circle: there is no plan for some instances of the family, which do not count.
# page: its columns of numbers, one for each family, need that width
# query:
#   with member as (
#     select f.*, case when s.online then 1 when s.shipped then 2 else 3 end as class
#       from field_result f join solver s on s.name = f.solver
#      where f.experiment = 'online' and f.ratio is not null),
#   cell as (
#     select class, contestant, family, place, exp(avg(ln(ratio))) as ratio,
#            count(distinct checksum) as solved
#       from member group by contestant, family),
#   total as (
#     select family, count(distinct checksum) as instances from field_result
#      where experiment = 'online' group by family),
#   row as (
#     select contestant, row_number() over (order by class, avg(ln(ratio)), contestant) as line
#       from cell group by contestant)
#   select r.line, dense_rank() over (order by c.place, c.family) as panel, c.ratio,
#          case when c.ratio = 1 then '1' when c.ratio < 9.995 then printf('%.2f', c.ratio)
#               else printf('%.3g', c.ratio) end as label,
#          min(ln(c.ratio), ln(2)) / ln(2) as shade, c.solved < t.instances as partial
#     from cell c join total t using (family) join row r using (contestant)
#    order by 2, 1
# arrays:
#   with cell as (
#     select f.contestant, case when s.online then 1 when s.shipped then 2 else 3 end as class,
#            f.family, exp(avg(ln(f.ratio))) as ratio
#       from field_result f join solver s on s.name = f.solver
#      where f.experiment = 'online' and f.ratio is not null group by f.contestant, f.family)
#   select contestant as row_label, class as row_class
#     from cell group by contestant order by class, avg(ln(ratio)), contestant
# arrays:
#   select family || ' (' || count(distinct checksum) || ')' as column_label
#     from field_result where experiment = 'online' group by family order by place, family

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
do for [i = 2:rows] {
    if (row_class[i] != row_class[i - 1]) {
        set arrow i from screen 0.01, first i - 0.5 to graph 1, first i - 0.5 nohead \
            linecolor rgb '#000000' linewidth 0.8 front
    }
}
@blues
plot 'online.csv' using 'panel':'line':(0.5):(0.5):'shade' with boxxyerror fillstyle solid \
        border linecolor rgb '#ffffff' fillcolor palette, \
    '' using 'panel':'line':'label':(ink(column('shade'))) with labels textcolor rgb variable, \
    '' using (column('partial') == 1 ? column('panel') + 0.38 : NaN):'line':(ink(column('shade'))) \
        with points pointtype 6 pointsize 0.35 linecolor rgb variable
unset multiplot
