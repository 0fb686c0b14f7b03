# Memory operations of a register tile, modelled and counted.
#
# title: Memory operations: mGEMM's tile and a matrix product's
# experiment: operations
# caption: Above: floats that a multiply-accumulate moves between memory and registers, of
#   inputs and weights (operations / MAC), for tiles of two vectors of channels and w_o pixels on a layer of 64
#   channels, filter 3 x 3; a matrix product's tile reloads its inputs for each column of the
#   filter. Lines: the model, halo included; marks: counted in the code that the compiler
#   made, hollow where that moves more, because sums find no register or a weight is read for
#   each use. Outputs add 2 / (C_in H_fil W_fil) to both. Dashed: the tile of
#   mgemm:preset=paper. Below: the rate, one thread. For the same tile mGEMM needs fewer
#   operations; but an input that stays takes a register, so its tiles end earlier, and the
#   widest tile of a matrix product needs fewer still. On NEON, the paper's platform, a register
#   holds four inputs: 8 pixels x 8 channels there have, outputs of 64 channels included, 0.177
#   against 0.260.
# query:
#   select s.isa_place as panel, s.wf, s.wo, s.counted_m as counted, s.gflops,
#          s.model_exact - 2.0 / (f.value * s.taps) as modelled,
#          s.counted_m > 1.001 * (s.model_exact - 2.0 / (f.value * s.taps)) as more
#     from (select s.*, l.s * l.r as taps from conv_setting s join layer l using (workload)) s
#     join fact f on f.workload = s.workload and f.name = 'c'
#    where s.experiment = 'operations' and s.role = 'setting' and s.params not like 'preset=%'
#      and s.vectors = 2 and s.hfil = 'inside'
#      and s.workload = (select min(workload) from conv_setting where experiment = 'operations')
#    order by panel, s.wf, s.wo
# arrays:
#   select distinct isa as panel_title, isa_place as panel_place from conv_setting
#    where experiment = 'operations' and role = 'setting' order by isa_place
# arrays:
#   select max(case when params like 'preset=%' then wo end) as published from conv_setting
#    where experiment = 'operations' and role = 'setting'
#      and workload = (select min(workload) from conv_setting where experiment = 'operations')
#    group by isa, isa_place order by isa_place

load 'style.gp'
panels = |panel_title|
height = 3.6
eval paper(7.0, height)
array name[2] = ['keep', 'reload']
array kind[2] = ['mGEMM: inputs kept', 'matrix product: inputs reloaded']
set multiplot
set datafile separator comma
set xrange [0.5:14.5]
set xtics 2
mine(p, k) = column('panel') == panel_place[p] && stringcolumn('wf') eq name[k]

do for [p = 1:panels] {
    set lmargin at screen 0.08 + (p - 1) * 0.311
    set rmargin at screen 0.08 + (p - 1) * 0.311 + 0.283
    set tmargin at screen 1 - 0.25 / height
    set bmargin at screen 1 - 1.75 / height
    set title panel_title[p] noenhanced
    set arrow 1 from published[p], graph 0 to published[p], graph 1 nohead dashtype 2 \
        linecolor rgb '#777777' back
    unset xlabel
    set format x ''
    set format y (p == 1 ? '%g' : '')
    set logscale y
    set yrange [0.08:1.5]
    set ytics (0.1, 0.2, 0.3, 0.5, 1, 1.5)
    set ylabel (p == 1 ? 'operations / MAC' : '') offset 0.5, 0
    unset key
    plot for [k = 1:2] 'operations.csv' \
            using (mine(p, k) ? column('wo') : NaN):'modelled' with lines linewidth 1.4 \
            linecolor rgb okabe[k + 1] dashtype dashes[k], \
        for [k = 1:2] '' using (mine(p, k) && column('more') == 0 ? column('wo') : NaN):'counted' \
            with points pointtype marker[k] pointsize 0.6 linecolor rgb okabe[k + 1], \
        for [k = 1:2] '' using (mine(p, k) && column('more') == 1 ? column('wo') : NaN):'counted' \
            with points pointtype hollow[k] pointsize 0.7 linecolor rgb okabe[k + 1]
    unset logscale y
    set title ''
    set format '%g'
    set tmargin at screen 1 - 1.95 / height
    set bmargin at screen 0.65 / height
    set xlabel 'pixels w_{o}'
    set ylabel (p == 1 ? 'GFLOP/s' : '') offset 0, 0
    set yrange [0:*]
    set ytics autofreq
    if (p == panels) {
        set key at screen 0.5, 0.0 center bottom vertical maxrows 1 Left reverse samplen 3 width 2
    }
    plot for [k = 1:2] 'operations.csv' using (mine(p, k) ? column('wo') : NaN):'gflops' \
            with lines linewidth 1.4 linecolor rgb okabe[k + 1] dashtype dashes[k] notitle, \
        for [k = 1:2] '' using (mine(p, k) && column('more') == 0 ? column('wo') : NaN):'gflops' \
            with points pointtype marker[k] pointsize 0.5 linecolor rgb okabe[k + 1] notitle, \
        for [k = 1:2] '' using (mine(p, k) && column('more') == 1 ? column('wo') : NaN):'gflops' \
            with points pointtype hollow[k] pointsize 0.6 linecolor rgb okabe[k + 1] notitle, \
        for [k = 1:2] keyentry with linespoints linecolor rgb okabe[k + 1] dashtype dashes[k] \
            pointtype marker[k] title kind[k]
}
unset multiplot
