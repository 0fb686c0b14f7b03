# How often each planner is how near.
#
# title: Performance profile of the field
# experiment: field
# shape: plan
# caption: Share of all instances on which a planner's gap (to the optimum, or to the best
#   proven bound where that is open) is at most x, on an axis that is linear near 0 % and
#   logarithmic beyond; of one that draws random numbers, with each seed. Arena planners, the
#   eight with the highest share at 5 % in colour, all others grey. An instance without a plan
#   counts as one that is never reached.
# query:
#   with total as (select count(distinct checksum) as instances from field_result where experiment = ?1),
#   tried as (
#     select contestant, instances * count(distinct seed) as runs
#       from result, total where experiment = ?1 group by contestant),
#   share as (
#     select distinct contestant, number, ratio,
#            count(*) over (partition by contestant order by ratio) * 1.0 / runs as share
#       from field_result join tried using (contestant)
#      where experiment = ?1 and arena and ratio is not null and repetition = 1),
#   rank as (
#     select contestant, row_number() over (order by max(case when ratio <= 1.05 then share end)
#              desc, avg(ratio), contestant) as place
#       from share group by contestant)
#   select r.place, s.contestant, s.number, s.ratio, s.share
#     from (select contestant, number, ratio, share from share
#            union all select contestant, number, min(ratio), 0 from share group by contestant
#            union all select contestant, number, (select max(ratio) from share), max(share)
#                        from share group by contestant) s
#     join rank r using (contestant)
#    order by r.place, s.ratio, s.share
# arrays:
#   with total as (select count(distinct checksum) as instances from field_result where experiment = ?1),
#   tried as (
#     select contestant, instances * count(distinct seed) as runs
#       from result, total where experiment = ?1 group by contestant),
#   share as (
#     select distinct contestant, number, ratio,
#            count(*) over (partition by contestant order by ratio) * 1.0 / runs as share
#       from field_result join tried using (contestant)
#      where experiment = ?1 and arena and ratio is not null and repetition = 1)
#   select contestant, min(number) as number from share group by contestant
#    order by max(case when ratio <= 1.05 then share end) desc, avg(ratio), contestant
# arrays:
#   select count(distinct checksum) as instances from field_result where experiment = ?1

load 'style.gp'
height = 3.0
eval paper(7.0, height)
set datafile separator comma
best = |contestant| < 8 ? |contestant| : 8
set tmargin at screen 1 - 0.15 / height
set bmargin at screen 0.42 / height
set lmargin at screen 0.075
set rmargin at screen 0.74
set nonlinear x via log10(1 + x) inverse 10**x - 1
set xrange [0:300]
set xtics (0, 1, 3, 10, 30, 100, 300)
set yrange [0:1.01]
set ytics 0.2
do for [c = 1:8] {
    set style line 90 + c linecolor rgb okabe[(c - 1) % 7 + 1] dashtype c / 8 + 1 linewidth 1.4
}
set xlabel 'gap, %'
set ylabel sprintf('share of %d instances', instances[1])
set key at screen 0.755, 0.95 left top Left reverse samplen 3
plot for [c = best + 1:|contestant|] 'field-profile.csv' \
        using (column('place') == c ? 100 * (column('ratio') - 1) : NaN):'share' \
        with steps linecolor rgb '#cccccc' linewidth 0.8 notitle, \
    for [c = 1:best] '' using (column('place') == c ? 100 * (column('ratio') - 1) : NaN):'share' \
        with steps linestyle 90 + c title contestant[c], \
    for [c = best + 1:(|contestant| > best ? best + 1 : best)] keyentry with lines \
        linecolor rgb '#cccccc' linewidth 0.8 title sprintf('%d others', |contestant| - best)
