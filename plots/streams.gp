# What running branches side by side costs in memory.
#
# title: Networks on several streams
# experiment: streams
# caption: Operators on at most K streams, each at the rates of the whole machine, which wait for each
#   other's values alone; layers: the operators of a layer side by side, after which everybody waits.
#   First: the best arena over the best one for one clock, operator after operator in the order of the
#   file; open marks: first fit by size, where it needs more. Second: the modelled speed-up (1e11
#   MAC/s, 2e10 B/s, 4096 lanes, 20 us after each operator).
# query:
#   with run as (
#     select r.workload_name as network, r.contestant, r.peak, f.value as speed_up,
#            case when p.cells like '%,streams=%'
#                 then cast(substr(p.cells, instr(p.cells, ',streams=') + 9) as integer)
#                 else 0 end as streams,
#            case when p.cells like '%,groups=%'
#                 then cast(substr(p.cells, instr(p.cells, ',groups=') + 8) as integer)
#                 else 0 end as groups
#       from result r
#       join (select id, ',' || params || ',' as cells from workload) p on p.id = r.workload
#       join fact f on f.workload = r.workload and f.name = 'speed_up'
#      where r.experiment = 'streams' and r.usable),
#   base as (
#     select network, min(peak) as least from run where streams = 0 and groups = 0
#      group by network)
#   select r.network, r.streams, r.groups, r.speed_up, min(r.peak) * 1.0 / b.least as best,
#          nullif(min(case when r.contestant = 'first-fit-by-size' then r.peak end), min(r.peak))
#            * 1.0 / b.least as first_fit
#     from run r
#     join base b using (network)
#    where r.streams > 0 or r.groups > 0
#    group by r.network, r.streams, r.groups
#    order by r.network, r.streams, r.groups desc
# arrays:
#   select distinct workload_name as net from result
#    where experiment = 'streams' and usable order by net

load 'style.gp'
room_beside = 0.62
room_below = 0.56 + 0.14 * either(3, 5)
eval panels(2, either(2, 1), 1.6)
mine(i) = stringcolumn('network') eq net[i]
# Layers stand where 16 streams would.
place(k) = k == 0 ? 16 : k

set logscale x 2
set xlabel 'streams K'
eval panel(1)
eval key_under(1, either(3, 5))
set title 'memory'
set ylabel 'arena / one clock'
set xrange [0.9:19]
set xtics (1, 2, 4, 8, 'layers' 16)
set yrange [0.95:*]
set offsets 0, 0, 0.05, 0
plot for [i = 1:|net|] 'streams.csv' \
        using (mine(i) && column('streams') > 0 ? column('streams') : NaN):'best' \
        with linespoints linestyle 40 + i title net[i], \
    for [i = 1:|net|] '' using (mine(i) ? place(column('streams')) : NaN):'best' \
        with points linestyle 40 + i notitle, \
    for [i = 1:|net|] '' using (mine(i) ? place(column('streams')) : NaN):'first_fit' \
        with points linestyle 40 + i pointtype 6 pointsize 1.6 notitle

unset offsets
eval panel(2)
set title 'modelled time'
set ylabel 'speed-up'
set xrange [0.9:9]
set xtics (1, 2, 4, 8)
plot for [i = 1:|net|] 'streams.csv' \
        using (mine(i) && column('streams') > 0 ? column('streams') : NaN):'speed_up' \
        with linespoints linestyle 40 + i notitle
unset multiplot
