# mGEMM beside libraries, by kind of layer.
#
# title: Latency over libraries, by kind of layer
# experiment: latency
# caption: Time of a library over that of mGEMM as it chooses by itself, from the same final in
#   interleaved rounds, widest instruction set, one thread. One panel per kind of layer and one
#   point per layer; bar: the geometric mean with its bootstrap interval. Right of 1 mGEMM is
#   faster. Dense: filters of more than one tap; the first layers are among them. Packing of
#   weights is not timed; im2col, and the zeros around the input of libxsmm, are. As published:
#   mgemm:preset=paper, whose slabs are for this machine's last-level cache, and the same for 1
#   MiB, which the authors' code takes. There is no mean over the three kinds: it would mostly say
#   how many layers there are of each.
# query:
#   with timed as (
#     select r.workload, r.role, r.final_s,
#            case when r.role = 'peer' then r.kernel when r.role = 'chosen' then 'mgemm'
#              when r.params like '%llc=%' then 'published (1 MiB)' else 'as published' end as contestant,
#            case when r.role = 'peer' then k.place when r.params like '%llc=%' then -1
#              else -2 end as place,
#            l.kind_place as kind
#       from conv_run r join best_isa using (experiment, isa) join layer l using (workload)
#       left join kernel k on k.name = r.kernel
#      where r.experiment = 'latency' and r.measured and r.threads = 1 and r.final_s is not null
#        and (r.role in ('chosen', 'peer') or r.params like 'preset=%'))
#   select p.kind, p.contestant, dense_rank() over (order by p.place, p.contestant) as line,
#          p.final_s / m.final_s as ratio
#     from timed p join timed m using (workload)
#    where m.role = 'chosen' and p.role <> 'chosen'
#    order by p.kind, line, ratio
# query means:
#   with timed as (
#     select r.workload, r.role, r.final_s,
#            case when r.role = 'peer' then r.kernel when r.role = 'chosen' then 'mgemm'
#              when r.params like '%llc=%' then 'published (1 MiB)' else 'as published' end as contestant,
#            case when r.role = 'peer' then k.place when r.params like '%llc=%' then -1
#              else -2 end as place,
#            l.kind_place as kind
#       from conv_run r join best_isa using (experiment, isa) join layer l using (workload)
#       left join kernel k on k.name = r.kernel
#      where r.experiment = 'latency' and r.measured and r.threads = 1 and r.final_s is not null
#        and (r.role in ('chosen', 'peer') or r.params like 'preset=%')),
#   ratios as (
#     select p.kind, p.contestant, dense_rank() over (order by p.place, p.contestant) as line,
#            p.final_s / m.final_s as ratio
#       from timed p join timed m using (workload)
#      where m.role = 'chosen' and p.role <> 'chosen')
#   select kind, line, shifted_geometric_mean(ratio, 0) as ratio, geometric_low(ratio) as low,
#          geometric_high(ratio) as high,
#          printf('%.2f [%.2f to %.2f] n = %d', shifted_geometric_mean(ratio, 0),
#                 geometric_low(ratio), geometric_high(ratio), count(*)) as label
#     from ratios group by kind, line order by kind, line
# arrays:
#   select case when r.role = 'peer' then r.kernel when r.params like '%llc=%' then 'published (1 MiB)'
#            else 'as published' end as row_label
#     from conv_run r join best_isa using (experiment, isa) left join kernel k on k.name = r.kernel
#    where r.experiment = 'latency' and r.measured and r.threads = 1 and r.final_s is not null
#      and (r.role = 'peer' or r.params like 'preset=%')
#    group by row_label order by min(case when r.role = 'peer' then k.place
#             when r.params like '%llc=%' then -1 else -2 end), row_label

load 'style.gp'
load 'kinds.gp'
