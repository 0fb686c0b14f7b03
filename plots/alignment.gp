# What the rounding that frameworks do where they ship costs.
#
# title: The cost of native alignment
# experiment: alignment
# caption: Peak with sizes and offsets rounded by the planner's own rule over its peak with
#   sizes as they are, less one; the grey line leads to what the load itself grows by.
#   Planners that round where they ship, on networks with small tensors; those whose peak is
#   the same on all of them are left out.
# query:
#   select w.line, c.contestant, c.place, 100.0 * (n.peak * 1.0 / i.peak - 1) as cost,
#          100.0 * (n.lower_bound * 1.0 / i.load - 1) as load_cost
#     from alignment_result n
#     join alignment_result i using (base, contestant)
#     join (select base, row_number() over (order by min(seq)) as line
#             from alignment_result group by base) w using (base)
#     join (select contestant, row_number() over (order by min(number)) as place
#             from alignment_result group by contestant
#           having contestant in (
#             select n.contestant from alignment_result n
#               join alignment_result i using (base, contestant)
#              where n.native and not i.native and n.peak <> i.peak)) c using (contestant)
#    where n.native and not i.native
#    order by w.line, c.place
# arrays:
#   select contestant, min(number) as number from alignment_result
#    where contestant in (
#      select n.contestant from alignment_result n
#        join alignment_result i using (base, contestant)
#       where n.native and not i.native and n.peak <> i.peak)
#    group by contestant order by min(number)
# arrays:
#   select base as row_label from alignment_result group by base order by min(seq)

load 'style.gp'
rows = |row_label|
height = 0.2 + 0.3 * rows + room_below(|contestant|)
eval paper(7.0, height)
set datafile separator comma
set lmargin at screen 0.3
set rmargin at screen 0.985
set tmargin at screen 1 - 0.08 / height
set bmargin at screen room_below(|contestant|) / height
@key_below
set nonlinear x via (x < 0 ? -log10(1 - 10 * x) : log10(1 + 10 * x)) \
    inverse (x < 0 ? (1 - 10**(-x)) / 10 : (10**x - 1) / 10)
set xrange [*:*]
set xtics (-10, -3, -1, -0.3, 0, 0.3, 1, 3, 10, 30, 100)
set xlabel 'peak that the rounding adds, %'
set yrange [rows + 0.5:0.5]
set ytics nomirror scale 0 ()
set for [i = 1:rows] ytics add (row_label[i] i) noenhanced
unset grid
set grid xtics
set for [i = 1:rows - 1] arrow i from graph 0, first i + 0.5 to graph 1, first i + 0.5 \
    nohead linecolor rgb '#e4e4e4' linewidth 0.6 back
dodge(c) = (c - (|contestant| + 1) / 2.0) * 0.8 / |contestant|
plot for [c = 1:|contestant|] 'alignment.csv' \
        using (column('place') == c ? column('load_cost') : NaN): \
            (column('line') + dodge(c)):(column('cost') - column('load_cost')):(0) \
        with vectors nohead linecolor rgb '#999999' linewidth 0.8 notitle, \
    for [c = 1:|contestant|] '' \
        using (column('place') == c ? column('cost') : NaN):(column('line') + dodge(c)) \
        with points linestyle style(contestant[c], number[c]) title contestant[c]
