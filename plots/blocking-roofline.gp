# Layers under the measured ceilings of the processor.
#
# title: Roofline with measured ceilings
# experiment: blocking
# caption: Rate against intensity: twice the number of multiply-adds over the bytes of input,
#   weights and output, each moved once. Filled: mGEMM with the layer's best setting of the final;
#   rings: oneDNN's direct convolution, where it is built in, with a line to the rate of mGEMM on
#   the same layer. The ceilings are the measured multiply-add peak and the measured rates of
#   reading sets of 8 KiB, 256 KiB, 4 MiB and 32 MiB over and over. Widest instruction set, one
#   thread. A rate may exceed the peak by the taps that fall on padding, which are counted but not
#   computed.
# query:
#   select l.family, l.flops / l.bytes as intensity, l.flops / b.final_s / 1e9 as gflops, l.short
#     from conv_layer b join layer l using (workload) join best_isa using (experiment, isa)
#    where b.experiment = 'blocking' and b.final_s is not null
#    order by l.family, b.line
# query peer:
#   select p.family, l.flops / l.bytes as intensity, l.flops / p.peer_s / 1e9 as gflops,
#          l.flops / b.final_s / 1e9 as mgemm
#     from conv_peer p join layer l using (workload) join best_isa using (experiment, isa)
#     join conv_layer b using (experiment, workload, isa)
#    where p.experiment = 'blocking' and p.peer = 'onednn'
#    order by p.family, p.line
# arrays:
#   select l.family as family
#     from conv_layer b join layer l using (workload) join best_isa using (experiment, isa)
#    where b.experiment = 'blocking' and b.final_s is not null group by l.family order by min(b.line)
# arrays:
#   select 'read from ' || label as ceiling, value / 1e9 as bandwidth
#     from (select m.value, q.column2 as label, q.column3 as place
#             from conv_constant m join best_isa using (experiment, isa)
#             join (values ('read 8192', '8 KiB', 1), ('read 262144', '256 KiB', 2),
#                          ('read 4194304', '4 MiB', 3), ('read 33554432', '32 MiB', 4)) q
#               on m.name = q.column1
#            where experiment = 'blocking')
#    order by place
# arrays:
#   select median(peak_flops) / 1e9 as roof, isa as roof_isa
#     from conv_run join best_isa using (experiment, isa)
#    where experiment = 'blocking' and measured and threads = 1
# arrays:
#   select 0.8 * min(l.flops / max(b.final_s, coalesce(p.peer_s, 0)) / 1e9) as slowest
#     from conv_layer b join layer l using (workload) join best_isa using (experiment, isa)
#     left join conv_peer p on p.experiment = b.experiment and p.workload = b.workload
#      and p.isa = b.isa and p.peer = 'onednn'
#    where b.experiment = 'blocking' and b.final_s is not null

load 'style.gp'
room_above = 0.15
room_key = room_for_key(|family| + 2 + |ceiling|, 27)
eval panels(1, 1, either(3.0, 2.4))
eval panel(1)
@key_below
set logscale xy
set xrange [0.5:*] noextend
set yrange [slowest[1]:roof[1] * 1.6]
if (in_column) { set xtics (1, 10, 100) } else { set xtics (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500) }
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500)
if (roof[1] / slowest[1] < 10) { set ytics add (30, 70, 150, 300) }
set xlabel 'intensity, FLOP / byte'
set ylabel 'GFLOP/s'
set key noenhanced
set arrow 1 from graph 0, first roof[1] to graph 1, first roof[1] nohead linewidth 1.6 linecolor rgb '#000000'
fits(f) = stringcolumn('family') eq family[f]
plot keyentry with lines linewidth 1.6 linecolor rgb '#000000' \
        title sprintf('peak, %s: %.0f GFLOP/s', roof_isa[1], roof[1]), \
    for [c = 1:|ceiling|] (bandwidth[c] * x < roof[1] ? bandwidth[c] * x : NaN) \
        with lines linecolor rgb '#888888' dashtype dashes[c] \
        title sprintf('%s: %.0f GB/s', ceiling[c], bandwidth[c]), \
    'blocking-roofline-peer.csv' using 'intensity':'gflops':(0):(column('mgemm') - column('gflops')) \
        with vectors nohead linewidth 0.8 linecolor rgb '#999999' notitle, \
    '' using 'intensity':'gflops' with points pointtype 6 pointsize 0.5 linewidth 0.8 \
        linecolor rgb '#000000' title 'oneDNN', \
    for [f = 1:|family|] 'blocking-roofline.csv' using (fits(f) ? column('intensity') : NaN):'gflops' \
        with points pointtype marker[f] pointsize 0.5 linecolor rgb okabe[f % 6 + 2] \
        title family[f].', mGEMM'
unset multiplot
