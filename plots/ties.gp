# What the order of equal buffers alone does to the peak.
#
# title: Ties
# experiment: ties
# caption: Peak over the optimum (over the best proven bound where it is open) when buffers
#   with equal keys come in random orders: a bar from the least to the largest peak of all
#   seeds, one for each instance, one under the other in the order of the key. Dots: as
#   published; crosses: in input order. Planners in the order of their widest bar; those
#   without any spread are left out.
# query:
#   with bar as (
#     select base, arena, checksum, bound,
#            min(case when ties = 'shuffle' then peak end) * 1.0 / bound as low,
#            max(case when ties = 'shuffle' then peak end) * 1.0 / bound as high,
#            max(case when ties = 'upstream' then peak end) * 1.0 / bound as upstream,
#            max(case when ties = 'index' then peak end) * 1.0 / bound as by_index
#       from ties_result where bound > 0 group by base, checksum),
#   line as (
#     select base, row_number() over (order by not max(arena), max(high / low) desc, base) as line
#       from bar group by base having max(high) > min(low) and max(high / low) > 1),
#   spot as (
#     select checksum, dense_rank() over (order by min(seq)) as spot
#       from ties_result group by checksum),
#   spread as (
#     select checksum from bar group by checksum having max(high / low) > 1),
#   place as (
#     select checksum, row_number() over (order by spot) as place
#       from spot join spread using (checksum))
#   select l.line, p.place, b.low, b.high, b.upstream, b.by_index
#     from bar b join line l using (base) join place p using (checksum)
#    order by l.line, p.place
# arrays:
#   with bar as (
#     select base, arena, checksum,
#            min(case when ties = 'shuffle' then peak end) * 1.0 as low,
#            max(case when ties = 'shuffle' then peak end) * 1.0 as high
#       from ties_result where bound > 0 group by base, checksum)
#   select base as row_label from bar group by base having max(high / low) > 1
#    order by not max(arena), max(high / low) desc, base
# arrays:
#   select workload_label as instance_label
#     from ties_result join (
#       select distinct checksum from (
#         select checksum from ties_result where bound > 0 and ties = 'shuffle'
#          group by base, checksum having max(peak) > min(peak))) using (checksum)
#    group by checksum order by min(seq)

load 'style.gp'
rows = |row_label|
instances = |instance_label|
keys = ceil(instances / 2.0)
height = 0.55 + 0.3 * rows + 0.12 * keys
eval paper(7.0, height)
set datafile separator comma
set lmargin at screen 0.2
set rmargin at screen 0.985
set tmargin at screen 1 - 0.08 / height
set bmargin at screen (0.47 + 0.12 * keys) / height
set key at screen 0.5, 0.0 center bottom vertical maxrows keys Left reverse samplen 2 spacing 1.05
set logscale x 2
set xrange [0.99:*]
set xtics (1, 1.2, 1.4, 1.6, 2, 2.5, 3, 4, 6, 8, 12, 16, 24)
set xlabel 'peak / optimum'
set yrange [rows + 0.5:0.5]
set ytics nomirror scale 0 ()
set for [i = 1:rows] ytics add (row_label[i] i) noenhanced
unset grid
set grid xtics
set for [i = 1:rows - 1] arrow i from graph 0, first i + 0.5 to graph 1, first i + 0.5 \
    nohead linecolor rgb '#e4e4e4' linewidth 0.6 back
dodge(p) = (p - (instances + 1) / 2.0) * 0.8 / instances
color(p) = p % 8 == 0 ? '#8c8c8c' : okabe[(p - 1) % 8 + 1]
plot for [p = 1:instances] 'ties.csv' \
        using (column('place') == p ? column('low') : NaN):(column('line') + dodge(p)): \
            (column('high') - column('low')):(0) \
        with vectors nohead linecolor rgb color(p) linewidth 2.2 title instance_label[p] noenhanced, \
    for [p = 1:instances] '' using (column('place') == p ? column('upstream') : NaN): \
            (column('line') + dodge(p)) \
        with points pointtype 7 pointsize 0.3 linecolor rgb '#000000' notitle, \
    for [p = 1:instances] '' using (column('place') == p ? column('by_index') : NaN): \
            (column('line') + dodge(p)) \
        with points pointtype 2 pointsize 0.4 linewidth 0.7 linecolor rgb '#000000' notitle
