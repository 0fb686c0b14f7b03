# The memory of each planner's arena, instance by instance.
#
# title: Peak of each planner on each instance
# shape: plan
# caption: Peak over load, on a logarithmic axis; the load is a lower bound on every peak. A
#   vertical bar marks the optimum or, where that is open, the best proven lower bound, with a
#   grey line from there to the best peak known. The seven planners with the lowest mean are in
#   colour, all others grey. Of more than 60 instances a row is a family of them, with the
#   geometric mean and their number. Programs of your own come before all others.
# query:
#   with plan as (
#     select r.*, case when (select count(distinct checksum) from result where experiment = ?1) > 60
#                      then family else workload_label end as row_of
#       from result r join workload_family f using (workload)
#      where experiment = ?1 and usable and load > 0),
#   line as (
#     select row_of, row_number() over (order by min(seq)) as line from plan group by row_of),
#   place as (
#     select contestant, row_number() over (order by contestant in own_program desc, count(distinct checksum) desc,
#              avg(ln(peak * 1.0 / load)), contestant) as place
#       from plan group by contestant)
#   select l.line, p.contestant, o.place, p.number, exp(avg(ln(p.peak * 1.0 / p.load))) as ratio
#     from plan p join line l using (row_of) join place o using (contestant)
#    group by l.line, p.contestant order by o.place desc, l.line
# query bounds:
#   with plan as (
#     select r.*, case when (select count(distinct checksum) from result where experiment = ?1) > 60
#                      then family else workload_label end as row_of
#       from result r join workload_family f using (workload)
#      where experiment = ?1 and usable and load > 0)
#   select row_number() over (order by min(seq)) as line, exp(avg(ln(bound * 1.0 / load))) as ratio,
#          exp(avg(ln(coalesce(upper, bound) * 1.0 / load))) as upper
#     from plan group by row_of order by 1
# arrays:
#   with plan as (
#     select r.*, case when (select count(distinct checksum) from result where experiment = ?1) > 60
#                      then family else workload_label end as row_of
#       from result r join workload_family f using (workload)
#      where experiment = ?1 and usable and load > 0)
#   select row_of || case when row_of = workload_label then ''
#                         else ', n = ' || count(distinct checksum) end as row_label
#     from plan group by row_of order by min(seq)
# arrays:
#   with place as (
#     select contestant, number, row_number() over (order by contestant in own_program desc, count(distinct checksum) desc,
#              avg(ln(peak * 1.0 / load)), contestant) as place
#       from result where experiment = ?1 and usable and load > 0 group by contestant)
#   select contestant, number from place order by place

load 'style.gp'
rows = |row_label|
best = |contestant| < 7 ? |contestant| : 7
room_left = room_names
room_above = 0.08
room_key = room_for_key(best + (|contestant| > best), longest_contestant)
eval panels(1, 1, row_tall(0.15) * rows)
stats 'memory.csv' using 'ratio' nooutput
eval panel(1)
eval name_rows(1)
@rows_below_each_other
@key_below
set logscale x 2
set xrange [0.97:*]
if (in_column) { set xtics (1, 2, 4, 8, 16, 32, 64, 128) } \
else { set xtics (1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128) }
if (STATS_max < 3) { set xtics (1, 1.2, 1.5, 2, 2.5, 3) }
set xlabel 'peak / load'
dodge(c) = (c - (best + 1) / 2.0) * 0.7 / best
plot for [c = best + 1:|contestant|] 'memory.csv' \
        using (column('place') == c ? column('ratio') : NaN):'line' \
        with points pointtype 7 pointsize 0.25 linecolor rgb '#bbbbbb' notitle, \
    'memory-bounds.csv' using 'ratio':'line':(column('upper') - column('ratio')):(0) \
        with vectors nohead linecolor rgb '#999999' linewidth 3 notitle, \
    '' using 'ratio':(column('line') - 0.42):(0):(0.84) \
        with vectors nohead linecolor rgb '#666666' linewidth 1.2 notitle, \
    for [c = 1:best] 'memory.csv' \
        using (column('place') == c ? column('ratio') : NaN):(column('line') + dodge(c)) \
        with points linestyle style(contestant[c], number[c]) title short(contestant[c]), \
    keyentry with points pointtype 7 \
        pointsize 0.25 linecolor rgb '#bbbbbb' title |contestant| > best ? sprintf('%d others', |contestant| - best) : ''
unset multiplot
