# Rate over the register tile, one panel a layer.
#
# title: Rate over c_o and w_o
# experiment: blocking
# caption: Rate of mGEMM's tiles as a share of the effective peak (the measured peak over the
#   share of taps that hit real input), on the widest instruction set, one thread. One panel per
#   layer: of each kind of layer those with the most work. Each cell is the best of the tile's
#   variants that reload inputs and have one row. A tile right of the orange line needs more
#   vector registers than there are. The ring is the best tile of the layer; its rate and the
#   effective peak, in GFLOP/s, stand above the panel.
# query:
#   select p.panel, s.wo, s.vectors, max(s.gflops) as gflops,
#          max(s.gflops / s.effective_peak) as share, min(s.spilled) > 0 as spills,
#          sum(s.rounds) as rounds, min((s.high_s - s.low_s) / s.time_s / 2) as half_width
#     from conv_setting s join conv_panel p using (experiment, workload, isa)
#    where s.experiment = 'blocking' and s.role = 'setting' and s.wf = 'reload'
#      and s.tile_rows = 1
#    group by p.panel, s.vectors, s.wo
#    order by p.panel, s.vectors, s.wo
# query frontier:
#   with cell as (
#     select p.panel, s.vectors, max(case when s.spilled = 0 then s.wo else 0 end) + 0.5 as x
#       from conv_setting s join conv_panel p using (experiment, workload, isa)
#      where s.experiment = 'blocking' and s.role = 'setting' and s.wf = 'reload'
#        and s.tile_rows = 1 and s.spilled is not null
#      group by p.panel, s.vectors)
#   select panel, x, vectors - 0.5 as y, 0.0 as dx, 1.0 as dy from cell
#    union all
#   select a.panel, a.x, a.vectors + 0.5, b.x - a.x, 0.0
#     from cell a join cell b on b.panel = a.panel and b.vectors = a.vectors + 1
#    order by 1, 2
# query best:
#   select panel, wo, vectors from (
#     select p.panel, s.wo, s.vectors,
#            row_number() over (partition by p.panel order by s.time_s, s.seq) as n
#       from conv_setting s join conv_panel p using (experiment, workload, isa)
#      where s.experiment = 'blocking' and s.role = 'setting' and s.wf = 'reload'
#        and s.tile_rows = 1)
#    where n = 1
# arrays:
#   select short || printf('%s%.0f of %.0f', char(10), best, effective_peak) as panel_title
#     from conv_panel where experiment = 'blocking' order by panel
# arrays:
#   select isa as panel_isa, cast(value as integer) as lanes
#     from conv_panel join conv_constant using (experiment, isa)
#    where experiment = 'blocking' and name = 'vector' group by isa
# arrays:
#   select max(s.wo) as widest, max(s.vectors) as tallest
#     from conv_setting s join conv_panel p using (experiment, workload, isa)
#    where s.experiment = 'blocking' and s.role = 'setting'

load 'style.gp'
room_left = 0.52
room_above = 0.42
room_beside = 0.14
room_inner = 0.2
room_key = 0.5
eval panels(|panel_title|, either(4, 2), 0.86)
set xrange [0.5:widest[1] + 0.5]
set yrange [0.5:tallest[1] + 0.5]
set cbrange [0:1]
set palette defined (0 '#440154', 0.25 '#3b528b', 0.5 '#21918c', 0.75 '#5ec962', 1 '#fde725')
set format cb '%.1f'
set cbtics offset 0, 0.5
unset grid
unset key
set xtics 2 offset 0, 0.4
x_name = 'w_{o}'
y_name = sprintf('c_{o} (%s)', panel_isa[1])
mine(p) = column('panel') == p

do for [p = 1:|panel_title|] {
    eval panel(p)
    eval name_axes(p)
    set title panel_title[p] noenhanced offset 0, -0.4
    unset ytics
    set ytics 1 scale 0
    if (leftmost(p)) { set for [v = 1:tallest[1]] ytics add (sprintf('%d', v * lanes[1]) v) }
    unset colorbox
    if (p == |panel_title|) {
        set colorbox horizontal user origin 0.5 - 1.2 / inches, 0.33 / height size 2.4 / inches, 0.08 / height
        set label 1 'share of the effective peak' at screen 0.5, screen 0.07 / height center
    }
    plot 'blocking-heat.csv' using (mine(p) ? column('wo') : NaN):'vectors':(0.5):(0.5):'share' \
            with boxxyerror fillstyle solid noborder linecolor palette, \
        'blocking-heat-frontier.csv' using (mine(p) ? column('x') : NaN):'y':'dx':'dy' \
            with vectors nohead linecolor rgb '#ffffff' linewidth 2.4, \
        '' using (mine(p) ? column('x') : NaN):'y':'dx':'dy' \
            with vectors nohead linecolor rgb '#D55E00' linewidth 1.2, \
        'blocking-heat-best.csv' using (mine(p) ? column('wo') : NaN):'vectors' \
            with points pointtype 6 pointsize 1.1 linewidth 1.5 linecolor rgb '#ffffff'
}
unset multiplot
