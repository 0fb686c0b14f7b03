# What cutting layers into groups does to time and memory.
#
# title: Layers in groups
# experiment: groups
# caption: Each layer of independent operators is cut into at most k groups; the operators of a
#   group share a step; k = 0: one step per operator. First: modelled speed-up over one operator
#   after the other, all fused, on a stated machine (1e11 MAC/s, 2e10 B/s, 4096 lanes, 20 us per
#   synchronisation). Second: the peak of each planner over the load with k = 0, on ResNeXt-50
#   with each grouped convolution as 32 operators, nothing fused.
# query:
#   select distinct s.workload_name as network, s.groups, f.value as speed_up
#     from scheduled_result s
#     join fact f on f.workload = s.workload and f.name = 'speed_up'
#    where s.experiment = 'groups' and s.family in (s.workload_name || ':fuse=all',
#      s.workload_name || ':fuse=all,grouped=expand')
#    order by network, s.groups
# query memory:
#   select s.contestant, s.groups, s.peak * 1.0 / b.load as ratio
#     from scheduled_result s
#     join (select distinct family, load from scheduled_result
#            where experiment = 'groups' and groups = 0) b using (family)
#    where s.experiment = 'groups' and s.family = 'resnext50_32x4d:grouped=expand'
#      and s.usable and s.solver <> 'naive'
#    order by s.number, s.groups
# arrays:
#   select distinct workload_name as net from scheduled_result
#    where experiment = 'groups' and family in (workload_name || ':fuse=all',
#      workload_name || ':fuse=all,grouped=expand') order by net
# arrays:
#   select contestant, min(number) as number from scheduled_result
#    where experiment = 'groups' and family = 'resnext50_32x4d:grouped=expand'
#      and usable and solver <> 'naive'
#    group by contestant order by min(number)

load 'style.gp'
room_above = 0.3
room_beside = 0.62
room_below = 0.56 + 0.14 * either(2, 3)
eval panels(2, either(2, 1), 1.7)

# 0 stands where 1/2 would on the logarithmic axis.
place(k) = k == 0 ? 0.5 : k
set logscale x 2
set xrange [0.42:38]
set xtics ('0' 0.5, '1' 1, '2' 2, '4' 4, '8' 8, '16' 16, '32' 32)
set xlabel 'groups k per layer'

eval panel(1)
eval key_under(1, either(2, 3))
set title 'modelled time'
set ylabel 'speed-up'
set yrange [0.98:*]
plot for [i = 1:|net|] 'groups.csv' \
        using (stringcolumn('network') eq net[i] ? place(column('groups')) : NaN):'speed_up' \
        with linespoints linestyle 40 + i title net[i]

eval panel(2)
eval key_under(2, either(2, 3))
set title 'memory, resnext50\_32x4d:grouped=expand'
set ylabel 'peak / load of k = 0'
set yrange [0.9:*]
plot for [c = 1:|contestant|] 'groups-memory.csv' \
        using (stringcolumn('contestant') eq contestant[c] ? place(column('groups')) : NaN):'ratio' \
        with linespoints linestyle style(contestant[c], number[c]) title short(contestant[c])
unset multiplot
