# What the order of equal buffers alone does to the peak.
#
# title: Ties
# experiment: ties
# caption: By how many per cent the largest peak is above the least when buffers with equal keys
#   come in random orders, over all seeds; an empty cell: the order does not matter. An arrow up:
#   the order as published gives that largest peak or a larger one; an arrow down: the least or a
#   smaller one. Planners are in the order of their widest spread, below the line those that use
#   several objects instead of one arena. Planners without any spread are left out, and instances
#   beyond the twelve with the widest. A to K: MiniMalloc's accelerator instances.
# page: in a column its rows, one for each planner, would be longer than a page
# query:
#   with spread as (
#     select base, checksum,
#            100.0 * (max(case when ties = 'shuffle' then peak end) * 1.0
#              / min(case when ties = 'shuffle' then peak end) - 1) as percent,
#            case when max(case when ties = 'upstream' then peak end)
#                   >= max(case when ties = 'shuffle' then peak end) then '↑'
#                 when max(case when ties = 'upstream' then peak end)
#                   <= min(case when ties = 'shuffle' then peak end) then '↓' else '' end as mark
#       from ties_result group by base, checksum)
#   select line, panel, percent,
#          case when percent < 0.095 then '<0.1' when percent < 9.95 then printf('%.1f', percent)
#               else printf('%.0f', percent) end || mark as label,
#          min(percent, 50) / 50 as shade
#     from spread join ties_row using (base) join ties_column using (checksum)
#    where percent > 0 order by line, panel
# arrays:
#   select base as row_label, arena as row_arena from ties_row order by line
# arrays:
#   select label as column_label from ties_column order by panel

load 'style.gp'
rows = |row_label|
columns = |column_label|
room_left = room_names
room_above = 0.68
room_below = 0.1
eval panels(1, 1, 0.15 * rows)
eval panel(1)
eval name_rows(1)
@cells
@blues
set palette defined (0 '#f4f8fc', 0.15 '#d6e6f4', 0.5 '#6aaed6', 1 '#08519c')
# Of many, every other heading stands lower, so that long names have the room of two columns.
heading(i) = (columns <= 6 || i % 2 == 1 ? '' : "\n\n").column_label[i]
objects = 0
do for [i = 1:rows] { if (row_arena[i] == 0 && objects == 0) { objects = i } }
if (objects > 0) {
    set arrow 1 from screen 0.01, first objects - 0.5 to graph 1, first objects - 0.5 nohead \
        linecolor rgb '#000000' linewidth 0.8 front
}
set xrange [0.5:columns + 0.5]
set for [i = 1:columns] label 100 + i heading(i) noenhanced at first i, screen edge_top(1) + 0.53 / height center
plot 'ties.csv' using 'panel':'line':(0.5):(0.5):'shade' with boxxyerror fillstyle solid \
        border linecolor rgb '#ffffff' fillcolor palette, \
    '' using 'panel':'line':'label':(ink(column('shade'))) with labels textcolor rgb variable
unset multiplot
