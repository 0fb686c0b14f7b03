# Memory operations of a register tile, modelled and counted.
#
# title: Memory operations: mGEMM's tile and a matrix product's
# experiment: operations
# caption: First block: how many floats a multiply-accumulate moves between memory and registers,
#   of inputs and weights (operations / MAC), for tiles of two vectors of channels and w_o pixels
#   on a layer of 64 channels, filter 3 x 3; the tile of a matrix product reloads its inputs for
#   each column of the filter. Lines: the model, halo included; marks: counted in the code that
#   the compiler made, hollow where that moves more, because sums find no register or a weight is
#   read for each use. Outputs add 2 / (C_in H_fil W_fil) to both. Dashed: the tile of
#   mgemm:preset=paper. Second block: the rate, one thread. For the same tile mGEMM needs fewer
#   operations; but an input that stays takes a register, so its tiles end earlier, and the widest
#   tile of a matrix product needs fewer still. On NEON, the paper's platform, a register holds
#   four inputs: 8 pixels x 8 channels there have, outputs of 64 channels included, 0.177 against
#   0.260.
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
array name[2] = ['keep', 'reload']
array kind[2] = ['mGEMM: inputs kept', 'matrix product: inputs reloaded']
room_beside = either(0.3, 0.4)
room_above = 0.25
room_inner = either(0.1, 0.3)
room_key = room_for_key(2, 31)
eval panels(2 * panels, either(panels, 2), either(1.45, 1.2))
@key_below
set key samplen 3
set xrange [0.5:14.5]
set xtics either(2, 4)
# At page width a block of panels is a row, in a column a column.
of(p) = in_column ? (p + 1) / 2 : (p - 1) % panels + 1
rate(p) = in_column ? p % 2 == 0 : p > panels
mine(p, k) = column('panel') == panel_place[of(p)] && stringcolumn('wf') eq name[k]
do for [p = 1:2 * panels] {
    eval panel(p)
    set title (rate(p) && !in_column ? '' : panel_title[of(p)].either('', rate(p) ? ': rate' : ': operations')) noenhanced
    set arrow 1 from published[of(p)], graph 0 to published[of(p)], graph 1 nohead dashtype 2 \
        linecolor rgb '#777777' back
    set format x (lowest(p) || in_column ? '%g' : '')
    set xlabel (lowest(p) ? 'pixels w_{o}' : '')
    set ylabel (in_column || leftmost(p) ? (rate(p) ? 'GFLOP/s' : 'operations / MAC') : '') offset 0.5, 0
    if (rate(p)) {
        unset logscale y
        set yrange [0:*]
        set ytics autofreq
        set format y '%g'
    } else {
        set logscale y
        set yrange [0.08:1.5]
        set ytics (0.1, 0.2, 0.3, 0.5, 1, 1.5)
        set format y (leftmost(p) ? '%g' : '')
    }
    line = rate(p) ? 'gflops' : 'modelled'
    marks = rate(p) ? 'gflops' : 'counted'
    plot for [k = 1:2] 'operations.csv' using (mine(p, k) ? column('wo') : NaN):line \
            with lines linewidth 1.4 linecolor rgb okabe[k + 1] dashtype dashes[k] notitle, \
        for [k = 1:2] '' using (mine(p, k) && column('more') == 0 ? column('wo') : NaN):marks \
            with points pointtype marker[k] pointsize 0.6 linecolor rgb okabe[k + 1] notitle, \
        for [k = 1:2] '' using (mine(p, k) && column('more') == 1 ? column('wo') : NaN):marks \
            with points pointtype hollow[k] pointsize 0.7 linecolor rgb okabe[k + 1] notitle, \
        for [k = 1:2] keyentry with linespoints linecolor rgb okabe[k + 1] dashtype dashes[k] \
            pointtype marker[k] title kind[k]
    unset key
}
unset multiplot
