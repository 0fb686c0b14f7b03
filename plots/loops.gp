# What loops without copies save.
#
# title: Loops without copies
# experiment: loops
# caption: Top left: bytes copied in a run of the LSTM language model (2 layers of 650 units, batch
#   20, a cell as one operator) against its words.  Middle and right: a loop that reads
#   values of up to d iterations back, with its body unrolled k times: carried values
#   copied an iteration, and the best peak of the planners in values.  k = d copies
#   nothing; hollow marks: more copies than it takes.  Below: nnc's peak over the load of the
#   flat time line where loops are planned with what is around them (flat), where each
#   body is planned first and its buffers are tensors of what is around (buffers, as ccv does),
#   and as one block each.
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
rows = |row_label|
below = 0.95 + 0.17 * rows
height = 2.5 + below
eval paper(7.0, height)
set datafile separator comma
stats 'loops-subgraphs.csv' using 'ratio' nooutput
set multiplot
set tmargin at screen 1 - 0.3 / height
set bmargin at screen (0.68 + below) / height

set lmargin at screen 0.07
set rmargin at screen 0.32
set key at screen 0.195, below / height center bottom vertical maxrows 1 Left reverse samplen 2 width -1
set title 'LSTM: bytes copied, loops=...'
set xlabel 'words (iterations)'
set ylabel 'MiB a run'
set yrange [0:*]
set xrange [0:*]
plot for [k = 1:3] 'loops.csv' \
        using (stringcolumn('treatment') eq kind[k] ? column('trips') : NaN):'copied_mib' \
        with linespoints linestyle 40 + k pointtype marker[k] title kind[k]

set key at screen 0.7, below / height center bottom vertical maxrows 1 Left reverse samplen 2.5 width 1
set xlabel 'unroll factor k'
set xtics 2
set lmargin at screen 0.40
set rmargin at screen 0.65
set title 'values copied an iteration'
set ylabel 'values'
plot for [d = 1:|depth_of|] 'loops-factor.csv' \
        using (column('depth') == depth_of[d] ? column('unroll') : NaN):'moved' \
        with linespoints linestyle 40 + d pointtype marker[d] title sprintf('d = %d', depth_of[d])

# Filled marks up to k = d, hollow ones beyond.
set lmargin at screen 0.73
set rmargin at screen 0.985
unset key
set title 'best peak'
set ylabel 'values'
plot for [d = 1:|depth_of|] 'loops-factor.csv' \
        using (column('depth') == depth_of[d] ? column('unroll') : NaN):'peak' \
        with lines linestyle 40 + d notitle, \
     for [d = 1:|depth_of|] 'loops-factor.csv' \
        using (column('depth') == depth_of[d] && column('more') == 0 \
            ? column('unroll') : NaN):'peak' \
        with points linestyle 40 + d pointtype marker[d] notitle, \
     for [d = 1:|depth_of|] 'loops-factor.csv' \
        using (column('depth') == depth_of[d] && column('more') == 1 \
            ? column('unroll') : NaN):'peak' \
        with points linestyle 40 + d pointtype hollow[d] notitle

array planned[3] = ['flat', 'buffers', 'block']
set tmargin at screen (below - 0.25) / height
set bmargin at screen 0.62 / height
set key at screen 0.58, 0.0 center bottom vertical maxrows 1 Left reverse samplen 1 width 1
set yrange [rows + 0.5:0.5]
set xrange [0.95:STATS_max + 0.05]
set xtics auto
set xlabel "nnc's peak / load of flat"
unset ylabel
do for [t = 1:3] {
    set lmargin at screen 0.27 + (t - 1) * 0.245
    set rmargin at screen 0.27 + (t - 1) * 0.245 + 0.225
    set title 'loops='.kind[t]
    unset ytics
    if (t == 1) {
        set ytics scale 0 noenhanced ()
        set for [r = 1:rows] ytics add (tick(row_label[r]) r)
    }
    plot for [s = 1:3] 'loops-subgraphs.csv' \
            using (stringcolumn('treatment') eq kind[t] && \
                   stringcolumn('subgraphs') eq planned[s] ? column('ratio') : NaN): \
                (column('line') + (s - 2) * 0.22) \
            with points linestyle 40 + s pointtype marker[s] title 'subgraphs='.planned[s]
    unset key
}
unset multiplot
