# mGEMM beside libraries, by kind of layer.
#
# title: Latency over libraries, by kind of layer
# experiment: latency
# caption: Time of a library over that of mGEMM as it chooses by itself, from the same final
#   in interleaved rounds, widest instruction set, one thread: a point a layer; bar: the
#   geometric mean with its bootstrap interval. Right of 1 mGEMM is faster. Dense: filters of more
#   than one tap; the first layers are among them. Weights are packed before; im2col, and the
#   zeros around libxsmm's input, are timed. As published: mgemm:preset=paper, whose slabs are
#   for this machine's last-level cache, and the same for 1 MiB, which the authors' code takes. One mean over the three kinds would say how many
#   layers of which kind there are.
# query:
#   with timed as (
#     select r.workload, r.role, r.final_s,
#            case when r.role = 'peer' then r.kernel when r.role = 'chosen' then 'mgemm'
#              when r.params like '%llc=%' then 'published (1 MiB)' else 'as published' end as contestant,
#            case when r.role = 'peer' then k.place when r.params like '%llc=%' then -1
#              else -2 end as place,
#            l.kind_place as kind
#       from conv_run r join best_isa using (experiment, isa) join layer l using (workload)
#       left join kernel k on k.name = r.kernel
#      where r.experiment = 'latency' and r.measured and r.threads = 1 and r.final_s is not null
#        and (r.role in ('chosen', 'peer') or r.params like 'preset=%'))
#   select p.kind, p.contestant, dense_rank() over (order by p.place, p.contestant) as line,
#          p.final_s / m.final_s as ratio
#     from timed p join timed m using (workload)
#    where m.role = 'chosen' and p.role <> 'chosen'
#    order by p.kind, line, ratio
# query means:
#   with timed as (
#     select r.workload, r.role, r.final_s,
#            case when r.role = 'peer' then r.kernel when r.role = 'chosen' then 'mgemm'
#              when r.params like '%llc=%' then 'published (1 MiB)' else 'as published' end as contestant,
#            case when r.role = 'peer' then k.place when r.params like '%llc=%' then -1
#              else -2 end as place,
#            l.kind_place as kind
#       from conv_run r join best_isa using (experiment, isa) join layer l using (workload)
#       left join kernel k on k.name = r.kernel
#      where r.experiment = 'latency' and r.measured and r.threads = 1 and r.final_s is not null
#        and (r.role in ('chosen', 'peer') or r.params like 'preset=%')),
#   ratios as (
#     select p.kind, p.contestant, dense_rank() over (order by p.place, p.contestant) as line,
#            p.final_s / m.final_s as ratio
#       from timed p join timed m using (workload)
#      where m.role = 'chosen' and p.role <> 'chosen')
#   select kind, line, shifted_geometric_mean(ratio, 0) as ratio, geometric_low(ratio) as low,
#          geometric_high(ratio) as high,
#          printf('%.2f [%.2f to %.2f] n = %d', shifted_geometric_mean(ratio, 0),
#                 geometric_low(ratio), geometric_high(ratio), count(*)) as label
#     from ratios group by kind, line order by kind, line
# arrays:
#   select case when r.role = 'peer' then r.kernel when r.params like '%llc=%' then 'published (1 MiB)'
#            else 'as published' end as row_label
#     from conv_run r join best_isa using (experiment, isa) left join kernel k on k.name = r.kernel
#    where r.experiment = 'latency' and r.measured and r.threads = 1 and r.final_s is not null
#      and (r.role = 'peer' or r.params like 'preset=%')
#    group by row_label order by min(case when r.role = 'peer' then k.place
#             when r.params like '%llc=%' then -1 else -2 end), row_label

load 'style.gp'
rows = |row_label|
height = 0.75 + 0.28 * rows
eval paper(7.0, height)
array kind[3] = ['dense', 'pointwise', 'depthwise']
set multiplot
set datafile separator comma
set tmargin at screen 1 - 0.24 / height
set bmargin at screen 0.47 / height
set logscale x 2
set yrange [rows + 0.5:0.5]
set ytics scale 0 noenhanced ()
unset key
unset grid
set grid xtics
set style textbox opaque noborder fillcolor rgb '#ffffff' margins 0.4, 0.3
set xlabel 'time / time of mGEMM'
do for [i = 1:rows] {
    set arrow i from graph 0, first i + 0.5 to graph 1, first i + 0.5 nohead \
        linecolor rgb '#e4e4e4' linewidth 0.6 back
}
set arrow 100 from 1, graph 0 to 1, graph 1 nohead linewidth 1.2 linecolor rgb '#444444' back
do for [k = 1:3] {
    set lmargin at screen 0.18 + (k - 1) * 0.272
    set rmargin at screen 0.18 + (k - 1) * 0.272 + 0.258
    set title kind[k]
    set xrange [0.3:k == 3 ? 128 : 32]
    if (k == 3) { set xtics (0.5, 1, 2, 4, 16, 64) } \
    else { set xtics (0.5, 1, 2, 4, 8, 16) }
    set ytics ('' 1)
    do for [i = 1:rows] { if (k == 1) { set ytics add (tick(row_label[i]) i) } else { set ytics add ('' i) } }
    plot 'latency.csv' using (column('kind') == k ? column('ratio') : NaN):(column('line') + 0.22) \
            with points pointtype 7 pointsize 0.3 linecolor rgb '#56B4E9', \
        'latency-means.csv' using (column('kind') == k ? column('ratio') : NaN):(column('line') + 0.22):'low':'high' \
            with xerrorbars pointtype 5 pointsize 0.45 linewidth 1.6 linecolor rgb '#D55E00', \
        '' using (column('kind') == k ? (k == 3 ? 128 : 32) * 0.95 : NaN):(column('line') - 0.2):'label' \
            with labels right boxed
}
unset multiplot
