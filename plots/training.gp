# What training costs in memory, and how close planners come.
#
# title: Memory of training
# experiment: training
# caption: First: the load of inference and of a step of training of eight images, or of 8 x 128
#   tokens; weights and optimiser state count. SGD has no state, Adam two values per weight;
#   "ready" updates each weight as soon as its gradient is there, not at the end; "checkpoints"
#   makes what lies inside segments of about sqrt(n) operators again. Second: the share of the
#   training graphs on which a planner's peak is at most x per cent above the load, on a
#   logarithmic axis that begins at 0.01.
# query:
#   with cells as (
#     select workload_name, load, ',' || workload_params || ',' as p from result
#      where experiment = 'training'),
#   rows as (
#     select workload_name as network, load / 1073741824.0 as gib,
#            case when p not like '%,train=%' then 'inference'
#                 else case when p like '%,train=adam,%' then 'Adam'
#                           when p like '%,train=sgd,%' then 'SGD' end ||
#                      case when p like '%,update=ready,%' then ' ready' else '' end ||
#                      case when p like '%,checkpoint=sqrt,%' then ' checkpoints'
#                           when p like '%,checkpoint=%' then null else '' end
#            end as variant
#       from cells where p like '%,batch=8,%')
#   select distinct network, dense_rank() over (order by network) as line, variant, gib
#     from rows where variant is not null
#    order by line, variant
# query peaks:
#   with ratios as (
#     select contestant, number, max(100.0 * (peak - load) / load, 0.01) as excess from result
#      where experiment = 'training' and usable and load > 0
#        and ',' || workload_params like '%,train=%')
#   select contestant, number, excess, share,
#          row_number() over (partition by contestant order by share) % 4 = number % 4 as mark from (
#     select distinct contestant, number, excess,
#            cume_dist() over (partition by contestant order by excess) as share
#       from ratios
#      union all
#     select distinct contestant, number, min(excess) over (partition by contestant), 0.0
#       from ratios)
#    order by number, share
# arrays:
#   select distinct workload_name as row_label from result
#    where experiment = 'training' and ',' || workload_params || ',' like '%,batch=8,%'
#    order by workload_name
# arrays:
#   select contestant, min(number) as number from result
#    where experiment = 'training' and usable and ',' || workload_params like '%,train=%'
#    group by contestant order by min(number)

load 'style.gp'
# Hollow: checkpoints.
array kind[7] = ['inference', 'SGD', 'SGD ready', 'SGD checkpoints', 'SGD ready checkpoints', \
                 'Adam', 'Adam ready checkpoints']
array colour[7] = [1, 2, 4, 2, 4, 3, 3]
array shape[7] = [13, 7, 5, 6, 4, 9, 8]
rows = |row_label|
room_left = room_names
room_right = 0.2
room_beside = 0.65
room_below = 0.56 + 0.14 * either(5, 7)
eval panels(2, either(2, 1), either(0.22 * rows + 0.3, 0.22 * rows))
@rows_below_each_other

eval panel(1)
eval name_rows(1)
eval key_under(1, either(4, 7))
set title 'inference and training'
set xlabel 'load, GiB'
set logscale x 10
set xrange [0.05:*]
set xtics (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20)
plot for [k = 1:7] 'training.csv' \
        using (stringcolumn('variant') eq kind[k] ? column('gib') : NaN) \
        :(column('line') + (k - 4) * 0.1) \
        with points pointtype shape[k] linecolor rgb okabe[colour[k]] \
        pointsize (format eq 'svg' ? 0.7 : 0.55) title kind[k]

unset arrow
unset ytics
eval in_column ? margins(0.55 / inches, edge_right(2), edge_top(2), edge_bottom(2)) : panel(2)
eval key_under(2, either(5, 7))
set title 'planners on training graphs'
set xlabel 'peak above load, %'
set ylabel 'share of graphs'
set yrange [0:1.02]
set ytics nomirror 0.2
set xtics ('0.01' 0.01, '0.1' 0.1, 1, 10, 100, 1000)
set xrange [0.01:*]
set grid ytics
plot for [c = 1:|contestant|] 'training-peaks.csv' \
        using (column('number') == number[c] ? column('excess') : NaN):'share' \
        with steps linestyle style(contestant[c], number[c]) notitle, \
    for [c = 1:|contestant|] '' \
        using (column('number') == number[c] && column('mark') == 1 ? column('excess') : NaN):'share' \
        with points linestyle style(contestant[c], number[c]) notitle, \
    for [c = 1:|contestant|] keyentry with linespoints linestyle style(contestant[c], number[c]) \
        title short(contestant[c])
unset multiplot
