# The MegEngine article's comparison, each planner with its own rules: fused and not.
#
# title: Peaks with and without fusion
# experiment: batch
# caption: Peak at batch 1, with nothing fused and with all fused. Hollow: nothing is shared in
#   place. Filled: sharing by the rule of the planner's own system (MegEngine's planners:
#   megengine, nnc: nnc, the others: aliases only). The line is the load without sharing. The
#   separate buffers of nnc are added up. At batch 128 every size, and with it each of these
#   peaks, is 128 times as high: the table of the experiment has both. The article shows
#   TensorFlow Lite (tflite-arena), MegEngine without planning (naive) and with it
#   (megengine-pushdown) at both batches, as pictures without numbers or versions. That planning
#   saves most of the memory is seen here too; that it needs less than TensorFlow Lite is seen
#   only where ResNet-50 is fused.
# query:
#   with own as (
#     select s.*, case when contestant like 'megengine%' then 'megengine'
#                      when contestant like 'nnc%' then 'nnc' else 'off' end as rule,
#            case when base like '%fuse=all%' then 'all' else 'none' end as fuse
#       from shared_result s
#      where experiment = 'batch' and peak is not null and outcome <> 'invalid'
#        and base in (workload_name, workload_name || ':fuse=all'))
#   select workload_name as network, fuse, contestant,
#          dense_rank() over (order by number desc) as line,
#          inplace_of = rule and alias_of = 'on' as own, peak / 1048576.0 as mib
#     from own
#    where (inplace_of = rule and alias_of = 'on') or (inplace_of = 'off' and alias_of = 'off')
#    order by workload_name, fuse desc, number, own
# query loads:
#   select distinct workload_name as network,
#          case when base like '%fuse=all%' then 'all' else 'none' end as fuse,
#          load / 1048576.0 as mib
#     from shared_result
#    where experiment = 'batch' and base in (workload_name, workload_name || ':fuse=all')
#      and inplace_of = 'off' and alias_of = 'off'
#    order by 1, 2 desc
# arrays:
#   select distinct workload_name as net from shared_result where experiment = 'batch'
#    order by workload_name = 'mobilenet_v2', workload_name = 'resnet50'
# arrays:
#   select contestant as row_label from shared_result
#    where experiment = 'batch' and peak is not null group by contestant order by min(number) desc

load 'style.gp'
array fuse[2] = ['none', 'all']
array what[2] = ['nothing fused', 'all fused']
nets = |net|
room_left = room_names
room_above = either(0.28, 0.42)
room_beside = either(0.2, 0.14)
room_inner = either(0.42, 0.24)
room_key = room_for_key(3, 24)
x_name = 'peak, MiB'
eval panels(2 * nets, either(nets, 2), 0.13 * |row_label| + 0.05)
@key_below
set style fill solid
set logscale x 2
if (in_column) { set xtics (1, 4, 16, 64, 256) } else { set xtics (0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256) }
# At page width the networks stand beside each other, in a column the fusions.
net_of(p) = in_column ? (p + 1) / 2 : (p - 1) % nets + 1
fuse_of(p) = in_column ? (p - 1) % 2 + 1 : (p - 1) / nets + 1
of(p) = stringcolumn('network') eq net[net_of(p)] && stringcolumn('fuse') eq fuse[fuse_of(p)] ? column('mib') : NaN
do for [p = 1:2 * nets] {
    eval panel(p)
    eval name_axes(p)
    eval name_rows(p)
    set yrange [0.4:|row_label| + 0.6]
    unset grid
    set grid xtics
    set title net[net_of(p)].either(', ', "\n").what[fuse_of(p)] noenhanced
    plot 'batch-loads.csv' using (of(p)):(0.4):(0):(|row_label| + 0.2) \
            with vectors nohead linecolor rgb '#888888' linewidth 1.0 title 'load', \
        'batch.csv' using (column('own') == 0 ? of(p) : NaN):'line' \
            with points linecolor rgb okabe[2] pointtype 6 pointsize 0.6 \
            title 'nothing shared in place', \
        'batch.csv' using (column('own') == 1 ? of(p) : NaN):'line' \
            with points linecolor rgb okabe[3] pointtype 7 pointsize 0.45 \
            title "the planner's own rule"
    unset key
}
unset multiplot
