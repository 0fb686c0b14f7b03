-- What figures and tables of networks that are run select from, as views.sql for planners.

-- One row a task of an experiment that runs a network in a planner's arena.
--   network     the workload's name, other parameters than those below behind it
--   setting     plain; fused: fuse=all; shared: fused, with aliases, in place (nnc) and
--               concatenations placed; other: another mixture of these four
--   place       of the setting, from 1
--   paid_bytes  what a user pays beside weights: the arena, room for changes of layout, and the
--               kernels' workspace
--   kernel      with the number of threads where there are several, and whether they are for groups
--   group_count that layers are cut into; 0: a step an operator
--   measured    right and timed
create temp table execution_run as
select r.*, case when rest = '' then name else name || ':' || rest end as network,
       case when fuse = 'none' and not shares then 'plain' when fuse = 'all' and not shares then 'fused'
            when fuse = 'all' and shared then 'shared' else 'other' end as setting,
       case when fuse = 'none' and not shares then 1 when fuse = 'all' and not shares then 2
            when fuse = 'all' and shared then 3 else 4 end as place
  from (
    select e.experiment, e.size, e.seq, p.*, t.workload, w.label, w.name, w.checksum,
           p.kernels || case p.threads when 1 then '' else ' × ' || p.threads end
             || case p.groups when 1 then ' groups' else '' end as kernel,
           case when c.cells like '%,groups=%'
                then cast(substr(c.cells, instr(c.cells, ',groups=') + 8) as integer) else 0 end
             as group_count,
           t.contestant as planner, o.build, o.machine, o.commit_id, o.processor,
           p.arena_bytes + p.scratch_bytes + p.workspace_bytes as paid_bytes,
           t.outcome = 'measured' as measured,
           case when c.cells like '%,fuse=all,%' then 'all' when c.cells like '%,fuse=bn,%' then 'bn'
                else 'none' end as fuse,
           c.cells like '%,alias=on,%' and c.cells like '%,inplace=nnc,%'
             and c.cells like '%,concat=place,%' as shared,
           c.cells like '%,alias=%' or c.cells like '%,inplace=%' or c.cells like '%,concat=%'
             as shares,
           trim(replace(replace(replace(replace(replace(replace(replace(c.cells, ',fuse=all,', ','),
                  ',fuse=bn,', ','), ',alias=on,', ','), ',inplace=nnc,', ','),
                  ',inplace=megengine,', ','), ',concat=place,', ','), ',fuse=none,', ','), ',') as rest
      from experiment_task e
      join chosen using (experiment, size)
      join task t on t.id = e.task
      join execution_passed p on p.task = t.id
      join workload w on w.id = t.workload
      join (select id, ',' || params || ',' as cells from workload) c on c.id = w.id
      left join origin o on o.sweep = t.sweep) r
 order by experiment, seq;

create index temp.execution_run_network on execution_run (experiment, network);
