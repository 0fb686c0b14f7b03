# How often each planner is how near.
#
# title: Performance profile of the field
# experiment: field
# shape: plan
# caption: Share of all instances on which a planner's gap is at most x, on an axis that is linear
#   near 0 % and logarithmic beyond. The gap is that to the optimum, or to the best proven bound
#   where that is open; a planner that draws random numbers counts with each seed. The seven arena
#   planners with the highest share at 5 % are in colour and in that order, all others grey; the
#   second and third are thick, so that curves which coincide can be told apart. An instance
#   without a plan counts as one that is never reached. Programs of your own come before all
#   others.
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
#     select contestant, row_number() over (order by contestant in own_program desc, max(case when ratio <= 1.05 then share end)
#              desc, avg(ratio), contestant) as place
#       from share group by contestant)
#   select r.place, s.contestant, s.number, s.ratio, s.share,
#          row_number() over (partition by r.place order by s.ratio, s.share) % 5 = r.place % 5
#            as mark
#     from (select contestant, number, ratio, share from share
#            union all select contestant, number, min(ratio), 0 from share group by contestant
#            union all select contestant, number, 4.0, max(share) from share where ratio <= 4
#                        group by contestant) s
#     join rank r using (contestant)
#    where s.ratio <= 4
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
#    order by contestant in own_program desc, max(case when ratio <= 1.05 then share end) desc, avg(ratio), contestant
# arrays:
#   select count(distinct checksum) as instances from field_result where experiment = ?1

load 'style.gp'
best = |contestant| < 7 ? |contestant| : 7
room_above = 0.15
room_key = room_for_key(best + (|contestant| > best), longest_contestant)
eval panels(1, 1, either(2.4, 2.2))
eval panel(1)
@key_below
set nonlinear x via log10(1 + x) inverse 10**x - 1
set xrange [-0.06:300]
set xtics (0, 1, 3, 10, 30, 100, 300)
set yrange [0:1.03]
set ytics 0.2
thick(c) = c == 2 ? 3 : c == 3 ? 5 : 1.3
set xlabel 'gap, %'
set ylabel sprintf('share of %d instances', instances[1])
set key samplen 3
plot for [c = best + 1:|contestant|] 'field-profile.csv' \
        using (column('place') == c ? 100 * (column('ratio') - 1) : NaN):'share' \
        with steps linecolor rgb '#cccccc' linewidth 0.8 notitle, \
    for [c = best:1:-1] '' using (column('place') == c ? 100 * (column('ratio') - 1) : NaN):'share' \
        with steps linestyle style(contestant[c], number[c]) dashtype 1 linewidth thick(c) \
        notitle, \
    for [c = best:1:-1] '' using (column('place') == c && column('mark') == 1 \
        ? 100 * (column('ratio') - 1) : NaN):'share' \
        with points linestyle style(contestant[c], number[c]) notitle, \
    for [c = 1:best] keyentry with linespoints linestyle style(contestant[c], number[c]) \
        dashtype 1 title short(contestant[c]), \
    keyentry with lines \
        linecolor rgb '#cccccc' linewidth 0.8 title |contestant| > best ? sprintf('%d others', |contestant| - best) : ''
unset multiplot
