# mGEMM beside the fastest direct library, by kind of layer.
#
# title: Over the fastest direct library
# experiment: layers
# caption: Share of a kind's layers on which the time of the fastest direct library (oneDNN, libxsmm,
#   XNNPACK) over that of mGEMM, as it chooses by itself, is at most x; from the same final in
#   interleaved rounds, widest instruction set, one thread. Right of 1 mGEMM is faster. In the key:
#   how many layers it wins, and the geometric mean. Grouped: several channels a group.
# query:
#   with timed as (
#     select r.workload, r.role, r.final_s,
#            case when l.groups > 1 and l.groups < l.c then 4 else l.kind_place end as kind
#       from conv_run r join best_isa using (experiment, isa) join layer l using (workload)
#      where r.experiment = 'layers' and r.measured and r.threads = 1 and r.final_s is not null
#        and (r.role = 'chosen' or (r.role = 'peer' and r.kernel in ('onednn', 'libxsmm', 'xnnpack')))),
#   best as (
#     select kind, workload, min(case when role = 'peer' then final_s end)
#              / min(case when role = 'chosen' then final_s end) as ratio
#       from timed group by workload)
#   select kind, ratio, row_number() over (partition by kind order by ratio) * 1.0
#            / count(*) over (partition by kind) as share
#     from best where ratio is not null order by kind, ratio
# arrays:
#   with timed as (
#     select r.workload, r.role, r.final_s,
#            case when l.groups > 1 and l.groups < l.c then 4 else l.kind_place end as kind
#       from conv_run r join best_isa using (experiment, isa) join layer l using (workload)
#      where r.experiment = 'layers' and r.measured and r.threads = 1 and r.final_s is not null
#        and (r.role = 'chosen' or (r.role = 'peer' and r.kernel in ('onednn', 'libxsmm', 'xnnpack')))),
#   best as (
#     select kind, workload, min(case when role = 'peer' then final_s end)
#              / min(case when role = 'chosen' then final_s end) as ratio
#       from timed group by workload)
#   select kind, case kind when 1 then 'dense' when 2 then 'pointwise' when 3 then 'depthwise' else 'grouped' end
#            || printf(': %d of %d, mean %.2f', sum(ratio > 1), count(*), shifted_geometric_mean(ratio, 0)) as kind_title
#     from best where ratio is not null group by kind order by kind

load 'style.gp'
room_above = 0.15
room_key = room_for_key(|kind|, 30)
eval panels(1, 1, either(2.4, 2.2))
eval panel(1)
@key_below
set logscale x 2
set xrange [0.3:8]
set xtics (0.35, 0.5, 0.7, 1, 1.4, 2, 4, 8)
set yrange [0:1.03]
set ytics 0.2
set xlabel 'time of the fastest direct library / time of mGEMM'
set ylabel 'share of the layers'
set key samplen 3
set arrow 1 from 1, graph 0 to 1, graph 1 nohead linewidth 1.2 linecolor rgb '#444444' back
plot for [c = 1:|kind|] 'layers.csv' using (column('kind') == kind[c] ? column('ratio') : NaN):'share' \
        with linespoints linestyle kind[c] pointsize 0.4 notitle, \
    for [c = 1:|kind|] keyentry with linespoints linestyle kind[c] title kind_title[c]
unset multiplot
