# How much of the traffic leaves the fast memory, against its size.
#
# title: Traffic outside of the fast memory
# experiment: memories
# shape: fit
# caption: Bytes that are read and written outside of the fast memory, as a share of all, against
#   the capacity of the fast memory as a share of the network's load (the bytes in use at once). One panel for each
#   network, of more than six those with the most buffers. The planner named first is the exact
#   one, whose splits are proven to cost least; the others are in the order of their mean, and of
#   more than six the rest is grey. Buffers stay where they are for their whole life.
# query:
#   with panel as (
#     select checksum, row_number() over (order by first) as panel from (
#       select checksum, min(seq) as first from fit_run where experiment = ?1
#        group by checksum order by max(n) desc, first limit 6))
#   select panel, number, 100.0 * capacity / load as percent, 100 * outside as outside
#     from fit_run join panel using (checksum)
#    where experiment = ?1 and outside is not null order by panel, number, percent
# arrays:
#   select network as panel_network, n as panel_n from (
#     select network, n, min(seq) as first from fit_run where experiment = ?1
#      group by checksum order by max(n) desc, first limit 6) order by first
# arrays:
#   select contestant, f.number from fit_run f join splitter s on s.name = contestant
#    where experiment = ?1 and outside is not null
#    group by contestant order by s.kind = 'exact' desc, avg(outside), f.number

load 'style.gp'
best = |contestant| < 7 ? |contestant| : 7
others = |contestant| - best
room_inner = 0.25
room_key = room_for_key(best + (others > 0), longest_contestant)
x_name = 'capacity / load, %'
y_name = either('traffic outside, %', 'outside, %')
eval panels(|panel_network|, either(3, 2), either(1.3, 1.0))
@key_below
set xrange [0:100]
set yrange [0:100]
set xtics (0, 25, 50, 75)
set ytics 25
of(p, c) = c <= |contestant| && column('panel') == p && column('number') == number[c] ? column('percent') : NaN
do for [p = 1:|panel_network|] {
    eval panel(p)
    eval name_axes(p)
    set title panel_network[p].either(sprintf(', n = %d', panel_n[p]), '') noenhanced
    plot for [c = best + 1:|contestant|] 'memories.csv' using (of(p, c)):'outside' \
            with lines linecolor rgb '#bbbbbb' linewidth 0.8 notitle, \
        for [c = best:1:-1] 'memories.csv' using (of(p, c)):'outside' \
            with linespoints linestyle c notitle, \
        for [c = 1:best] keyentry with linespoints linestyle c \
            title short(contestant[c]), \
        keyentry with lines linecolor rgb '#bbbbbb' linewidth 0.8 \
            title others > 0 ? sprintf('%d other%s', others, others == 1 ? '' : 's') : ''
    unset key
}
unset multiplot
