# The convolutions of YOLOv3-tiny as a whole.
#
# title: YOLOv3-tiny as a whole network
# experiment: latency
# caption: Time of all convolutions of YOLOv3-tiny at 416 x 416, each as often as the network has
#   it, from the final, widest instruction set, one thread, for everything that can do all of
#   them. Behind the bars: the time over that of mGEMM as it chooses by itself, and the share of
#   the machine's measured peak. The publication has up to 1.58 for the convolutions of this
#   network over the best of the libraries of its time, and 1.29 for the network with all its
#   other operators. Absolute times can't be compared with ours: they are of phones, whose
#   libraries and caches are others. The factor over im2col says how near to the peak the
#   machine's matrix product comes. As published: mgemm:preset=paper with slabs for this machine's
#   last-level cache, and for 1 MiB, as the authors' code has it.
# query:
#   with timed as (
#     select u.uses, r.role, r.final_s, r.workload, l.flops, r.peak_flops,
#            case when r.role = 'peer' then r.kernel when r.role = 'chosen' then 'mgemm'
#              when r.params like '%llc=%' then 'published (1 MiB)' else 'as published' end as contestant,
#            case when r.role = 'peer' then k.place when r.role = 'chosen' then -3
#              when r.params like '%llc=%' then -1 else -2 end as place,
#            l.kind_place as kind
#       from conv_run r join best_isa using (experiment, isa) join layer l using (workload)
#       join chosen using (experiment, size)
#       join layer_use u on u.experiment = r.experiment and u.size = r.size
#        and u.workload = r.workload and u.network = 'yolov3-tiny:'
#       left join kernel k on k.name = r.kernel
#      where r.experiment = 'latency' and r.measured and r.threads = 1 and r.final_s is not null
#        and (r.role in ('chosen', 'peer') or r.params like 'preset=%')),
#   total as (
#     select contestant, place, sum(uses * final_s) as s, count(distinct workload) as layers,
#            1000 * sum(case kind when 1 then uses * final_s else 0 end) as dense_ms,
#            1000 * sum(case kind when 2 then uses * final_s else 0 end) as point_ms,
#            sum(uses * flops) / sum(uses * final_s) / avg(peak_flops) as share
#       from timed group by contestant, place)
#   select row_number() over (order by place, contestant) as line, contestant, dense_ms, point_ms,
#          1000 * s as ms, s / (select s from total where place = -3) as ratio,
#          printf('%.1f ms: %.2f (%.0f %% of the peak)', 1000 * s,
#                 s / (select s from total where place = -3), 100 * share) as label
#     from total where layers = (select max(layers) from total)
#    order by line

load 'style.gp'
room_left = 1.33
# What stands behind a bar is right of the axis, which ends with the data.
room_right = either(2.6, 1.15)
room_above = 0.1
room_key = room_for_key(2, 29)
eval panels(1, 1, either(1.3, 2.4))
eval panel(1)
@key_below
set style fill solid 1.0 noborder
set yrange [*:*] reverse
set xrange [0:*]
set offsets 0, 0, 0.6, 0.6
set ytics scale 0 noenhanced ()
unset grid
set grid xtics
set xlabel 'milliseconds'
if (in_column) { set xtics 100 }
# In a column the share of the peak, in brackets, stands in a line of its own.
behind(text) = !in_column || (bracket = strstrt(text, ' (')) == 0 ? ' '.text \
    : ' '.text[1:bracket - 1]."\n ".text[bracket + 2:strlen(text) - 1]
plot 'latency-network.csv' using (0):'line':(0):'dense_ms':(column('line') - 0.3):(column('line') + 0.3):yticlabels(whole(stringcolumn('contestant'), 18)) \
        with boxxyerror linecolor rgb '#0072B2' title 'filters of more than one tap', \
    '' using 'dense_ms':'line':'dense_ms':'ms':(column('line') - 0.3):(column('line') + 0.3) \
        with boxxyerror linecolor rgb '#E69F00' title 'pointwise', \
    '' using 'ms':'line':(behind(stringcolumn('label'))) with labels left noenhanced notitle
unset multiplot
