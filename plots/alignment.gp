# What the rounding that frameworks do where they ship costs.
#
# title: The cost of native alignment
# experiment: alignment
# caption: By how many per cent a planner's peak grows when it rounds sizes and offsets by its own
#   rule, compared with its peak with sizes as they are; the axis is linear near 0 % and
#   logarithmic beyond. A grey line leads to each mark from what the load itself grows by. Shown
#   are planners that round where they ship, on networks with small tensors. Planners and networks
#   without any difference are left out, and of the planners the seven with the largest difference
#   are shown.
# query:
#   select w.line, s.contestant, s.place, c.cost, c.load_cost
#     from alignment_cost c
#     join (select base, row_number() over (order by min(seq)) as line
#             from alignment_cost where base in (select base from alignment_cost where cost <> 0)
#            group by base) w using (base)
#     join (select contestant, row_number() over (order by max(abs(cost)) desc, contestant) as place
#             from alignment_cost group by contestant) s using (contestant)
#    where s.place <= 7 and c.cost <> 0
#    order by w.line, s.place
# arrays:
#   select contestant, min(number) as number
#     from alignment_cost group by contestant having max(abs(cost)) > 0
#    order by max(abs(cost)) desc, contestant limit 7
# arrays:
#   select base as row_label
#     from alignment_cost where base in (select base from alignment_cost where cost <> 0)
#    group by base order by min(seq)
# arrays:
#   select min(0, min(cost)) as least, max(max(cost), max(load_cost)) as most from alignment_cost

load 'style.gp'
rows = |row_label|
room_left = room_names
room_above = 0.1
room_key = room_for_key(|contestant|, longest_contestant)
eval panels(1, 1, row_tall(0.2) * rows)
eval panel(1)
eval name_rows(1)
@rows_below_each_other
@key_below
set nonlinear x via (x < 0 ? -log10(1 - 10 * x) : log10(1 + 10 * x)) \
    inverse (x < 0 ? (1 - 10**(-x)) / 10 : (10**x - 1) / 10)
set xrange [1.3 * least[1] - 0.02:1.3 * most[1]]
set xtics () scale 0.5
set for [t in either("-30 -10 -3 -1 -0.3 -0.1 0 0.1 0.3 1 3 10 30 100", "-30 -3 -1 0 1 3 10 30 100")] \
    xtics add (real(t) >= least[1] && real(t) <= 1.3 * most[1] ? t : '' real(t))
set xlabel either('peak that the rounding adds, %', 'added by rounding, %')
dodge(c) = (c - (|contestant| + 1) / 2.0) * 0.7 / |contestant|
plot for [c = 1:|contestant|] 'alignment.csv' \
        using (column('place') == c ? column('load_cost') : NaN): \
            (column('line') + dodge(c)):(column('cost') - column('load_cost')):(0) \
        with vectors nohead linecolor rgb '#999999' linewidth 0.8 notitle, \
    for [c = 1:|contestant|] '' \
        using (column('place') == c ? column('cost') : NaN):(column('line') + dodge(c)) \
        with points linestyle style(contestant[c], number[c]) title short(contestant[c])
unset multiplot
