-- What figures and tables of several memories select from, as views.sql for planners of one.

-- One row a task of an experiment on several memories.
--   network   the instance, without what is fused
--   fast      the first memory's capacity as the experiment states it: 25%, 256KiB
--   level     which of the experiment's memories it has, by the size of the first; levels: how many
--   cost      NULL without a valid split
--   least     what no split of the instance costs less than, by all that was proven
--   flow      the same where only sums have to fit; NULL: nobody proved it
--   gap       of cost, above least; NULL of a planner with moves, which may cost less
--   outside   share of the traffic that is outside of the first memory
--   moves     whether the planner moves buffers
--   number    of the planner, in the experiment's order
create temp table fit_run as
with task_of as (
  select e.experiment, e.size, e.seq, p.*, w.label, w.name, w.load, w.n, w.checksum, t.outcome as ended,
         t.contestant as planner, o.build, o.machine, o.commit_id, o.processor,
         replace(replace(replace(w.label, ':fuse=all,', ':'), ',fuse=all', ''), ':fuse=all', '') as network,
         case when instr(p.memories, '=') < instr(p.memories || ',', ',')
                   and instr(p.memories, '=') < instr(p.memories || ';', ';')
              then substr(p.memories, instr(p.memories, '=') + 1) else '' end as behind
    from experiment_task e
    join chosen using (experiment, size)
    join task t on t.id = e.task
    join split_passed p on p.task = t.id
    join workload w on w.id = t.workload
    left join origin o on o.sweep = t.sweep),
known as (
  select checksum, memories, max(lower_bound) as least, max(flow_bound) as flow
    from task_of group by checksum, memories),
level as (
  select experiment, memories, row_number() over (partition by experiment order by avg(capacity * 1.0 / load), memories) as level,
         count(*) over (partition by experiment) as levels
    from task_of group by experiment, memories),
line as (
  select experiment, contestant, row_number() over (partition by experiment order by min(seq)) as number,
         contestant in (select name from splitter where kind = 'moves') as moves
    from task_of group by experiment, contestant)
select t.*, l.level, l.levels, i.number, i.moves, k.least, k.flow,
       substr(t.behind, 1, min(instr(t.behind || ',', ','), instr(t.behind || ';', ';')) - 1) as fast,
       case when i.moves then null when t.cost = k.least then 0.0 when k.least > 0 then t.cost / k.least - 1 end as gap
  from task_of t
  join known k using (checksum, memories)
  join level l using (experiment, memories)
  join line i using (experiment, contestant)
 order by experiment, seq;
