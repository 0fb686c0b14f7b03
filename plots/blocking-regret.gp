# What choosing without timing costs.
#
# title: Loss from a choice that is not the best
# experiment: blocking
# caption: First: the share of layers on which a choice loses at most x per cent of the time of
#   the layer's best setting, widest instruction set, one thread. The choices are the setting with
#   the least M of the paper, the same among tiles that do not spill, the predictor's first
#   choice, the kernel's own rule, and the best single setting for all the layers that have it.
#   Second: the loss over all dense layers of a network, each counted as often as it occurs, and
#   that of the best single setting for the network, where one setting fits all its layers. All
#   are from the first pass of turns.
# query:
#   with chosen as (
#     select c.choice, c.workload, c.loss from conv_choice c join best_isa using (experiment, isa)
#       join layer l using (workload)
#      where c.experiment = 'blocking' and l.groups = 1
#      union all
#     select 'one for all', s.workload, s.loss
#       from (select *, row_number() over (partition by experiment, workload, isa, vectors, wo, wf,
#                        tile_rows, hfil, loop_order order by seq) as n
#               from conv_setting where role = 'setting') s
#       join best_isa using (experiment, isa)
#      where s.experiment = 'blocking' and s.n = 1
#        and (s.vectors, s.wo, s.wf, s.tile_rows, s.hfil, s.loop_order) = (
#          select vectors, wo, wf, tile_rows, hfil, loop_order
#            from conv_setting join best_isa using (experiment, isa)
#           where experiment = 'blocking' and role = 'setting' and instance is not null
#           group by vectors, wo, wf, tile_rows, hfil, loop_order
#           order by count(distinct workload) >= 0.7 * (select count(distinct workload)
#                      from conv_setting where experiment = 'blocking') desc, avg(loss) limit 1))
#   select choice, 100 * loss as loss,
#          cume_dist() over (partition by choice order by loss) as share
#     from chosen
#    union all
#   select choice, 0, 0 from chosen group by choice
#    order by 1, 2, 3
# query networks:
#   with base as (
#     select u.experiment, u.network, u.workload, u.uses, b.isa, b.any_best_s
#       from layer_use u join chosen using (experiment, size) join layer l using (workload)
#       join conv_layer b using (experiment, workload) join best_isa using (experiment, isa)
#      where u.experiment = 'blocking' and l.groups = 1),
#   total as (select network, sum(uses * any_best_s) as best_s, count(*) as layers from base
#              group by network having count(*) > 4)
#   select dense_rank() over (order by t.network) as line, t.network, q.choice, 100 * (q.time_s / t.best_s - 1) as loss
#     from total t
#     join (select b.network, c.choice, sum(b.uses * c.time_s) as time_s, count(*) as n
#             from base b join conv_choice c using (experiment, workload, isa)
#            group by b.network, c.choice
#            union all
#           select f.network, 'one for all', min(f.time_s), max(f.layers)
#             from conv_fixed f join best_isa using (experiment, isa)
#            where f.experiment = 'blocking' group by f.network) q
#       on q.network = t.network and q.n = t.layers
#    order by line, q.choice
# arrays:
#   select network as row_label from layer_use join chosen using (experiment, size)
#     join layer using (workload)
#    where experiment = 'blocking' and groups = 1
#    group by network having count(*) > 4 order by network

load 'style.gp'
array choice[5] = ['paper', 'paper fits', 'one for all', 'kernel', 'model']
array choice_name[5] = ["least M (paper)", 'least M that fits', 'one setting for all', 'rule of the kernel', "predictor's choice"]
room_left = either(0.62, room_names)
room_beside = room_names
room_above = 0.15
room_key = room_for_key(5, 20)
eval panels(2, either(2, 1), 2.1)
@key_below
set key samplen 3
eval in_column ? margins(0.62 / inches, edge_right(1), edge_top(1), edge_bottom(1)) : panel(1)
set nonlinear x via log10(1 + x) inverse 10**x - 1
set xtics (0, 1, 3, 10, 30, 100, 300)
set xrange [0:*]
set yrange [0:1.02]
set ytics 0.2
set xlabel 'loss, % of the best time'
set ylabel 'share of layers'
plot for [c = 1:5] 'blocking-regret.csv' \
        using (stringcolumn('choice') eq choice[c] ? column('loss') : NaN):'share' \
        with steps linewidth 1.6 linecolor rgb okabe[c] dashtype dashes[c % 4 + 1] notitle, \
    for [c = 1:5] keyentry with linespoints linecolor rgb okabe[c] dashtype dashes[c % 4 + 1] \
        pointtype marker[c] title choice_name[c]
unset key
eval panel(2)
@rows_below_each_other
unset ytics
set ytics scale 0 noenhanced textcolor rgb '#000000' ()
set for [i = 1:|row_label|] ytics add (row_name(i) i)
unset ylabel
dodge(c) = (c - 3) * 0.12
plot for [c = 1:5] 'blocking-regret-networks.csv' \
    using (stringcolumn('choice') eq choice[c] ? (column('loss') < 0 ? 0 : column('loss')) : NaN):(column('line') + dodge(c)) \
    with points pointtype marker[c] pointsize 0.7 linecolor rgb okabe[c]
unset multiplot
