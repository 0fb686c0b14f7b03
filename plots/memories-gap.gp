# How far each planner for several memories is from the least cost.
#
# title: Gap of each planner for several memories
# experiment: memories
# shape: fit
# caption: Cost of the bytes that are read and written above the least that is proven, on an axis
#   that is linear near 0 % and logarithmic beyond; one panel for each size of the fast memory (of
#   more than three those a quarter, half and three quarters of the way), named by its capacity, a
#   percentage being one of the load. A dot is an instance, the bar goes from the lower to the upper
#   quartile, and the diamond is the median. Planners are in the order of their mean, the least
#   above.
# query:
#   with shown as (
#     select * from fit_run where experiment = ?1 and gap is not null
#        and (levels <= 3 or level in ((levels + 1) / 4, (levels + 1) / 2, 3 * (levels + 1) / 4))),
#   panel as (select level, dense_rank() over (order by level) as panel from shown group by level),
#   line as (select contestant, row_number() over (order by avg(gap), number) as line
#              from shown group by contestant)
#   select panel, line, 100 * gap as gap from shown join panel using (level) join line using (contestant)
#    order by line, panel, gap
# query quartiles:
#   with shown as (
#     select * from fit_run where experiment = ?1 and gap is not null
#        and (levels <= 3 or level in ((levels + 1) / 4, (levels + 1) / 2, 3 * (levels + 1) / 4))),
#   panel as (select level, dense_rank() over (order by level) as panel from shown group by level),
#   line as (select contestant, row_number() over (order by avg(gap), number) as line
#              from shown group by contestant)
#   select panel, line, 100 * quantile(gap, 0.25) as low, 100 * median(gap) as middle,
#          100 * quantile(gap, 0.75) as high
#     from shown join panel using (level) join line using (contestant) group by panel, line
# arrays:
#   select contestant as row_label from fit_run
#    where experiment = ?1 and gap is not null
#      and (levels <= 3 or level in ((levels + 1) / 4, (levels + 1) / 2, 3 * (levels + 1) / 4))
#    group by contestant order by avg(gap), number
# arrays:
#   select case when fast = '' then 'no limit' else fast end
#          || printf(', n = %d', count(distinct checksum)) as panel_title
#     from fit_run where experiment = ?1 and gap is not null
#      and (levels <= 3 or level in ((levels + 1) / 4, (levels + 1) / 2, 3 * (levels + 1) / 4))
#    group by level order by level
# arrays:
#   select max(100 * gap) as worst from fit_run where experiment = ?1 and gap is not null

load 'style.gp'
rows = |row_label|
room_left = room_names
room_beside = either(0.12, 0.08)
room_above = 0.24
room_inner = 0.26
x_name = 'cost above the least, %'
eval panels(|panel_title|, either(3, 1), row_tall(0.17) * rows)
@rows_below_each_other
unset key
set nonlinear x via log10(1 + x) inverse 10**x - 1
set xrange [-0.15:worst[1] > 1 ? 1.15 * worst[1] : 1.15]
set xtics (0, 1, 3, 10, 30, 100, 300, 1000)
set xtics nomirror
of(p) = column('panel') == p ? column('gap') : NaN
middle(p) = column('panel') == p ? column('middle') : NaN
do for [p = 1:|panel_title|] {
    eval panel(p)
    eval name_axes(p)
    eval name_rows(p)
    set title panel_title[p] noenhanced
    plot 'memories-gap.csv' using (of(p)):(column('line') + 0.22) \
            with points pointtype 7 pointsize 0.25 linecolor rgb '#56B4E9', \
        'memories-gap-quartiles.csv' using (middle(p)):(column('line') - 0.14):'low':'high' \
            with xerrorbars pointtype 13 pointsize 0.5 linewidth 1.6 linecolor rgb '#D55E00'
}
unset multiplot
