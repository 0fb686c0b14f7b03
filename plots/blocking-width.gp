# Rate against the width of the tile, a line for each c_o.
#
# title: Rate against w_o
# experiment: blocking
# caption: Rate of mGEMM's tiles against their width, a line for each number of output
#   channels c_o, on the widest instruction set, one thread; bars are 95 % intervals of the
#   median. Filled: no spilled register; hollow: spilled. Dashed: the effective peak. Layers
#   as in the heat map.
# query:
#   select panel, vectors, wo, gflops, gflops * time_s / high_s as low,
#          gflops * time_s / low_s as high, spilled > 0 as spills, rounds
#     from (select p.panel, s.*, row_number() over (partition by p.panel, s.vectors, s.wo
#                    order by s.time_s, s.seq) as n
#             from conv_setting s join conv_panel p using (experiment, workload, isa)
#            where s.experiment = 'blocking' and s.role = 'setting' and s.wf = 'reload'
#              and s.tile_rows = 1)
#    where n = 1
#    order by panel, vectors, wo
# arrays:
#   select short as panel_title, effective_peak as roof
#     from conv_panel where experiment = 'blocking' order by panel
# arrays:
#   select distinct s.vectors as vector_count, s.co as channels
#     from conv_setting s join conv_panel p using (experiment, workload, isa)
#    where s.experiment = 'blocking' and s.role = 'setting' order by s.vectors
# arrays:
#   select max(s.wo) as widest, max(p.effective_peak) as highest
#     from conv_setting s join conv_panel p using (experiment, workload, isa)
#    where s.experiment = 'blocking' and s.role = 'setting'

load 'style.gp'
panels = |panel_title|
columns = panels < 4 ? panels : 4
lines = ceil(panels / 4.0)
height = 0.5 + 1.45 * lines
eval paper(7.0, height)
set multiplot
set datafile separator comma

left = 0.07
right = 0.99
space = 0.02
panel_width = (right - left - (columns - 1) * space) / columns
panel_height = 1.0 / height
set xrange [0:widest[1] + 1]
set yrange [0:highest[1] * 1.05]
set xtics 4
set key at screen 0.5, 0.0 center bottom vertical maxrows 1 Left reverse samplen 3 width 2
mine(p, v) = column('panel') == p && column('vectors') == vector_count[v]

do for [p = 1:panels] {
    down = (p - 1) / 4
    at = (p - 1) % 4
    set lmargin at screen left + at * (panel_width + space)
    set rmargin at screen left + at * (panel_width + space) + panel_width
    set tmargin at screen 1 - (0.25 + 1.45 * down) / height
    set bmargin at screen 1 - (0.25 + 1.45 * down) / height - panel_height
    set title panel_title[p] noenhanced
    set xlabel (p + 4 > panels ? 'w_{o}' : '')
    set ylabel (at == 0 ? 'GFLOP/s' : '')
    set format y (at > 0 ? '' : '%g')
    set arrow 1 from 0, roof[p] to widest[1] + 1, roof[p] nohead dashtype 2 linecolor rgb '#777777'
    plot for [v = 1:|vector_count|] 'blocking-width.csv' \
            using (mine(p, v) ? column('wo') : NaN):'gflops':'low':'high' \
            with yerrorlines linecolor rgb okabe[v] linewidth 0.9 pointtype 1 pointsize 0 notitle, \
        for [v = 1:|vector_count|] '' \
            using (mine(p, v) && column('spills') == 0 ? column('wo') : NaN):'gflops' \
            with points linecolor rgb okabe[v] pointtype marker[v] pointsize 0.45 notitle, \
        for [v = 1:|vector_count|] '' \
            using (mine(p, v) && column('spills') == 1 ? column('wo') : NaN):'gflops' \
            with points linecolor rgb okabe[v] pointtype hollow[v] pointsize 0.55 notitle, \
        for [v = 1:|vector_count|] keyentry with linespoints linecolor rgb okabe[v] \
            pointtype marker[v] pointsize 0.5 title sprintf('c_o = %d', channels[v])
    unset key
}
unset multiplot
