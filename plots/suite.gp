# The suite: who finds the best known plans.
#
# title: The suite
# experiment: suite
# caption: On how many instances of the suite 2026.1 a planner's peak is the best known one, in
#   most cases the optimum. In brackets, where that is not so on all: how far its plans are above
#   it on average, in per cent. The darker a cell, the more instances are left. A dash: no plan on
#   any. The number of instances of a class stands above. Planners are in the order of what they
#   solve of all.
# query:
#   with cell as (
#     select contestant, class, place, sum(solved) as solved, count(*) as n, avg(above) as above
#       from suite_result where experiment = 'suite' group by contestant, class
#      union all
#     select contestant, 'all', 1000000, sum(solved), count(*), avg(above)
#       from suite_result where experiment = 'suite' group by contestant),
#   row as (
#     select contestant, row_number() over (order by sum(solved) desc, avg(above), contestant) as line
#       from suite_result where experiment = 'suite' group by contestant)
#   select r.line, dense_rank() over (order by c.place, c.class) as panel,
#          case when above is null then '–' else solved
#               || case when solved < n then printf(case when above < 0.0995 then ' (+%.2f)' else ' (+%.0f)' end, 100 * above) else '' end end as label,
#          1 - solved * 1.0 / n as shade
#     from cell c join row r using (contestant) order by 2, 1
# arrays:
#   select contestant as row_label from suite_result where experiment = 'suite'
#    group by contestant order by sum(solved) desc, avg(above), contestant
# arrays:
#   select class || char(10) || n as column_label
#     from (select place, class, count(distinct checksum) as n
#             from suite_result where experiment = 'suite' group by class
#            union all
#           select 1000000, 'all', count(distinct checksum) from suite_result where experiment = 'suite')
#    order by place

load 'style.gp'
rows = |row_label|
columns = |column_label|
# In a column the classes stand in tables below each other.
beside = either(columns, 3)
room_left = room_for_names(either(55, 20))
room_above = 0.4
room_below = 0.1
eval panels((columns + beside - 1) / beside, 1, 0.16 * rows)
@cells
@blues
do for [p = 1:panel_count] {
    eval panel(p)
    eval name_rows(p)
    first = (p - 1) * beside
    set xrange [first + 0.5:first + beside + 0.5]
    unset label
    set for [i = first + 1:(first + beside < columns ? first + beside : columns)] label 100 + i column_label[i] \
        noenhanced at first i, screen edge_top(p) + 0.25 / height center
    here(c) = c > first && c <= first + beside ? c : NaN
    plot 'suite.csv' using (here(column('panel'))):'line':(0.5):(0.5):'shade' with boxxyerror fillstyle solid \
            border linecolor rgb '#ffffff' fillcolor palette, \
        '' using (here(column('panel'))):'line':'label':(ink(column('shade'))) with labels textcolor rgb variable
}
unset multiplot
