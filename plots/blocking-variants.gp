# What each variant around the tile is worth.
#
# title: Variants: H_fil, loop order, cc_o, what stays in registers
# experiment: blocking
# caption: Time of a variant over the time of the same setting without it: one point for each such
#   pair on each layer and instruction set, one thread; bar: the median. Left of 1 the variant is
#   faster. H_fil outside the kernel is the order of the paper, and is compared with H_fil inside;
#   channel blocks inside the tiles of a row with those outside; the filter slab cc_o of eight
#   vectors with one of two; inputs or weights that are kept across the filter's width with inputs
#   that are reloaded; two output rows with one.
# query:
#   select variant as line, ratio, row_number() over (partition by variant order by ratio) * 1.0
#            / count(*) over (partition by variant) as spot
#     from conv_variant where experiment = 'blocking' order by line, ratio
# query medians:
#   select variant as line, median(ratio) as ratio, count(*) as n
#     from conv_variant where experiment = 'blocking' group by variant order by line

load 'style.gp'
array row_label[6] = ['H_{fil} outside the kernel', 'channel blocks inside tiles', \
    'slab cc_{o} four times as large', 'inputs kept across W_{fil}', 'weights kept across W_{fil}', \
    'two output rows']
rows = |row_label|
room_left = either(1.9, 1.85)
room_right = either(0.12, 0.06)
room_above = 0.1
eval panels(1, 1, either(2.3, 2.0))
eval panel(1)
@rows_below_each_other
set logscale x 2
set xrange [0.25:8]
set xtics (0.25, 0.5, 0.7, 1, 1.4, 2, 4, 8)
if (in_column) { set xtics (0.25, 0.5, 1, 2, 4, 8) }
set ytics scale 0 textcolor rgb '#000000' ()
set for [i = 1:rows] ytics add (row_label[i] i)
set xlabel 'time over that without'
unset key
set arrow 1 from 1, graph 0 to 1, graph 1 nohead linewidth 1.2 linecolor rgb '#444444' back
plot 'blocking-variants.csv' using 'ratio':(column('line') + 0.36 - 0.72 * column('spot')) \
        with points pointtype 7 pointsize 0.22 linecolor rgb '#0072B2', \
    'blocking-variants-medians.csv' using 'ratio':(column('line') - 0.4):(0):(0.8) \
        with vectors nohead linewidth 2.4 linecolor rgb '#D55E00', \
    '' using (7.6):(column('line') + either(0, 0.3)):(sprintf(either('%.3f (n = %d)', '%.3f'), column('ratio'), column('n'))) \
        with labels right
unset multiplot
