# What loops without copies save.
#
# title: Loops without copies
# experiment: loops
# caption: First row: what the LSTM language model (2 layers of 650 units, batch 20, a cell as one
#   operator) copies per run, by the number of its words, for three ways to plan a loop; then a
#   loop that reads values of up to d iterations back, with its body unrolled k times: how many of
#   the values carried from iteration to iteration are copied per iteration, and the least peak of
#   all planners, counted in values. With k = d nothing is copied; hollow marks: k is larger than
#   it has to be. Second row: the peak of nnc over the load of the flat time line, one panel per
#   way to plan a loop, where a loop's body is planned together with what is around it (flat),
#   where each body is planned first and its buffers are tensors of what is around it (buffers, as
#   ccv does), and where each body is one block.
# query:
#   select distinct treatment, trips, copied / 1048576.0 as copied_mib
#     from loop_result
#    where experiment = 'loops' and workload_name = 'lstm_lm' and flat and least
#      and (family like '%cell=fused,seq=%' or family like '%cell=fused')
#    order by treatment, trips
# query factor:
#   select depth, unroll, max(copied) / 4096.0 / trips as moved, min(peak) / 4096.0 as peak,
#          unroll > depth as more
#     from loop_result
#    where experiment = 'loops' and workload_name = 'recurrence' and treatment = 'unroll'
#      and flat and not least and usable and family not like '%outer=%'
#    group by depth, unroll
#    order by depth, unroll
# query subgraphs:
#   select r.family, dense_rank() over (order by f.workload_name, f.place) as line,
#          r.treatment, r.subgraphs, r.peak * 1.0 / l.load as ratio
#     from loop_result r
#     join (select family, workload_name, min(seq) as place from loop_result
#            where experiment = 'loops' and subgraphs = 'buffers' group by family) f using (family)
#     join (select distinct family, treatment, load from loop_result
#            where experiment = 'loops' and flat and least) l using (family, treatment)
#    where r.experiment = 'loops' and r.contestant = 'nnc:order=steps' and r.least
#      and r.peak is not null and r.outcome <> 'invalid'
#    order by line, r.treatment, r.subgraphs
# arrays:
#   select family as row_label from loop_result
#    where experiment = 'loops' and subgraphs = 'buffers'
#    group by family order by workload_name, min(seq)
# arrays:
#   select distinct depth as depth_of from loop_result
#    where experiment = 'loops' and workload_name = 'recurrence' and usable
#      and family not like '%outer=%'
#    order by depth

load 'style.gp'
array kind[3] = ['copy', 'coalloc', 'unroll']
array planned[3] = ['flat', 'buffers', 'block']
rows = |row_label|
rows_tall = 0.22 * rows
below = 0.3 + rows_tall + 0.66
room_left = 0.5
room_beside = 0.5
room_below = 0.98
room_key = below
eval panels(3, either(3, 2), 1.4)
stats 'loops-subgraphs.csv' using 'ratio' nooutput
set xrange [0:*]
set yrange [0:*]

eval panel(1)
eval key_under(1, 3)
set title 'LSTM: copied per run'
set xlabel 'words (iterations)'
set ylabel 'MiB'
plot for [k = 1:3] 'loops.csv' \
        using (stringcolumn('treatment') eq kind[k] ? column('trips') : NaN):'copied_mib' \
        with linespoints linestyle 40 + k pointtype marker[k] title 'loops='.kind[k]

# Filled marks up to k = d, hollow ones beyond; the third array names the columns.
array quantity[3] = ['', 'moved', 'peak']
array quantity_title[3] = ['', 'copied per iteration', 'best peak']
set xlabel 'unroll factor k'
set ylabel 'values'
set xtics 2
of(d, more) = column('depth') == depth_of[d] && column('more') == more ? column('unroll') : NaN
do for [p = 2:3] {
    eval panel(p)
    eval key_under(p, 3)
    set title quantity_title[p]
    plot for [d = 1:|depth_of|] 'loops-factor.csv' \
            using (column('depth') == depth_of[d] ? column('unroll') : NaN):quantity[p] \
            with lines linestyle 40 + d notitle, \
        for [d = 1:|depth_of|] '' using (of(d, 0)):quantity[p] \
            with points linestyle 40 + d pointtype marker[d] notitle, \
        for [d = 1:|depth_of|] '' using (of(d, 1)):quantity[p] \
            with points linestyle 40 + d pointtype hollow[d] notitle, \
        for [d = 1:|depth_of|] keyentry with linespoints linestyle 40 + d pointtype marker[d] \
            title sprintf('reads d = %d back', depth_of[d])
}

room_left = room_for_names(either(55, 22))
room_beside = either(0.15, 0.1)
room_below = 0.66
room_key = 0
eval more_panels(below, 3, 3, rows_tall)
@rows_below_each_other
eval key_at(0.5, 0.0, 1)
set label 1 'peak of nnc / load of the flat time line' \
    at screen either(0.5 * (edge_left(1) + edge_right(3)), 0.55), screen 0.29 / height center
set xlabel ''
set ylabel ''
set xrange [0.95:STATS_max + 0.05]
set xtics either(0.2, 0.5)
do for [p = 1:3] {
    eval panel(p)
    eval name_rows(p)
    set title either('loops=', '').kind[p]
    plot for [s = 1:3] 'loops-subgraphs.csv' \
            using (stringcolumn('treatment') eq kind[p] && \
                   stringcolumn('subgraphs') eq planned[s] ? column('ratio') : NaN): \
                (column('line') + (s - 2) * 0.31) \
            with points linestyle 40 + s pointtype marker[s] title planned[s]
    unset key
    unset label 1
}
unset multiplot
