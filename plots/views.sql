-- What figures and tables select from: temporary tables that the report makes
-- in its own connection to the store, once, before the first query.  The table
-- solver (name, title, kind, place, shipped, online) is there already, filled from the registry, and
-- so are plan_passed and conv_passed: the columns that a task's row hands on as they are
-- (harness/store/store_tables.c).
-- A statement ends with a line that ends in a semicolon.

-- An experiment's rows are those of its full size, where a full sweep has been
-- run into this directory, else those of its quick size.
create temp table chosen as
select experiment, case when max(size = 'full') then 'full' else max(size) end as size
  from experiment_task
 group by experiment;

-- What made the rows of a sweep; build and machine are their numbers in the store.
--   source      for people: commit, "-dirty" behind it where there were changes that are
--               in no commit; of a release its version; '' where nothing is known
create temp table origin as
select s.id as sweep, s.build, s.machine, coalesce(v.value, '') as version,
       coalesce(c.value, '') as commit_id, coalesce(p.value, '') as processor,
       case when c.value is null then '' when c.value = 'none' then 'version ' || v.value
            else 'commit ' || substr(c.value, 1, 12)
                 || case when c.value like '%-dirty' then '-dirty' else '' end end as source,
       coalesce(c.value, '') like '%-dirty' as dirty
  from sweep s
  left join provenance v on v.kind = 'build' and v.id = s.build and v.name = 'version'
  left join provenance c on c.kind = 'build' and c.id = s.build and c.name = 'commit'
  left join provenance p on p.kind = 'machine' and p.id = s.machine and p.name = 'processor';

-- One row a planning task of an experiment.  contestant is the solver with its parameters; a
-- command that has a name is the solver exec:NAME, and its contestant is called NAME.  Tasks
-- that a newer one has taken the place of are in no experiment any more, so they are not here.
-- usable: there is a verified plan in one arena.
create temp table run as
select e.experiment, e.size, e.seq, p.*, t.workload, w.checksum,
       t.contestant as solver, o.build, o.machine, o.commit_id, o.processor,
       coalesce(p.layout, 'arena') = 'arena' as arena,
       p.layout = 'arena' and p.peak is not null and p.outcome <> 'invalid' as usable
  from experiment_task e
  join chosen using (experiment, size)
  join task t on t.id = e.task
  join plan_passed p on p.task = t.id
  join workload w on w.id = t.workload
  left join origin o on o.sweep = t.sweep
 order by e.experiment, e.seq;

-- A program of the user's own that has a name goes by that alone, where nobody else does.
update temp.run set contestant = substr(contestant, length('exec:') + 1)
 where solver like 'exec:%' and contestant not glob 'exec:*[^-._0-9A-Za-z]*'
   and substr(contestant, length('exec:') + 1) not in
       (select name from solver union select contestant from run);

-- The contestants of this store.  number is the same in every figure.
create temp table contestant as
select contestant, solver, kind, row_number() over (order by place, contestant) as number
  from (select distinct r.contestant, r.solver, coalesce(s.kind, 'unknown') as kind,
               coalesce(s.place, 1000000) as place
          from run r
          left join solver s on s.name = substr(r.solver, 1, instr(r.solver || ':', ':') - 1));

-- Those among them that are programs of the user's own: figures that have room for a few begin with them.
create temp view own_program as select contestant from temp.contestant where solver like 'exec:%';

-- What is known about an instance, from every contestant of every experiment:
-- and from the table known (harness/store/optima.h), which other runs have filled:
--   proven    the best lower bound here: the load, or what a contestant proved (under
--             native alignment each solves another instance, and proves nothing here)
--   bound     the same with what is known
--   upper     the best verified peak, of these runs or known
--   optimum   that peak, where it equals the bound; else NULL
--   hard      no heuristic reaches the load, those that search for it left out
create temp table instance as
select checksum, load, proven, bound, best_peak, upper,
       case when upper = bound then bound end as optimum,
       heuristic_peak is null or heuristic_peak > load as hard
  from (select here.*, max(here.proven, coalesce(known.lower, 0)) as bound,
               min(coalesce(here.best_peak, known.upper), coalesce(known.upper, here.best_peak))
                 as upper
          from (
        select r.checksum, max(w.load) as load,
               max(max(w.load), coalesce(max(case when r.outcome <> 'invalid'
                                                  and instr(w.params, 'align=native') = 0
                                                  then r.lower_bound end), 0)) as proven,
               min(case when r.usable then r.peak end) as best_peak,
               min(case when r.usable and c.kind = 'heuristic'
                         and r.solver not in ('section-first', 'portfolio', 'squeaky-wheel', 'annealing')
                        then r.peak end) as heuristic_peak
          from run r
          join workload w on w.id = r.workload
          join contestant c on c.contestant = r.contestant
         group by r.checksum) here
          left join known using (checksum));

create unique index temp.instance_checksum on instance (checksum);

-- What figures and tables of planners read: one row a run, with its instance.
--   gap        peak / optimum - 1 where the optimum is proven, else NULL
--   gap_bound  peak / bound - 1
--   group_of   easy: a heuristic reaches the load; hard: none does, and the
--              optimum is proven; open: none does, and it is not
create temp table result as
select r.*, c.kind, c.number, w.kind as workload_kind, w.name as workload_name,
       w.label as workload_label, w.params as workload_params, w.n, w.pairs, w.load, w.total,
       i.bound, i.optimum, i.upper,
       case when r.usable then r.peak * 1.0 / nullif(i.optimum, 0) - 1 end as gap,
       case when r.usable then r.peak * 1.0 / nullif(i.bound, 0) - 1 end as gap_bound,
       case when not i.hard then 'easy' when i.optimum is not null then 'hard' else 'open' end
         as group_of
  from run r
  join contestant c using (contestant)
  join workload w on w.id = r.workload
  join instance i on i.checksum = r.checksum;

create index temp.result_experiment on result (experiment, contestant);

-- The family that a workload is of, and where it stands among them: what figures, tables and the
-- page call it.
create temp table workload_family as
select w.id as workload, coalesce(f.column2, w.key) as family, coalesce(f.column3, 100) as place
  from (select id, case when kind = 'network' and params like '%train=%' then 'training'
                        when kind = 'network' then 'network'
                        when kind = 'generator' then name
                        when label like '%minimalloc/%' then 'accelerator'
                        when label like '%tight/%' then 'tight'
                        when label like '%idealloc/%' then 'trace'
                        else 'model' end as key
          from workload where kind <> 'layer') w
  left join (values ('network', 'networks', 1), ('training', 'training graphs', 2),
               ('steps', 'steps', 2.5),
               ('model', 'model files', 3), ('accelerator', 'accelerators', 4),
               ('trace', 'traces', 5), ('tight', 'tight', 6), ('uniform', 'uniform', 7),
               ('heavy', 'heavy tails', 8), ('chain', 'chains', 9), ('planted', 'packings', 10),
               ('random-dag', 'random DAGs', 11), ('gadget', 'gadget', 12),
               ('pinwheel', 'pinwheels', 13), ('chained', 'chained', 14),
               ('overlaid', 'overlaid', 15), ('power', 'powers of two', 16),
               ('short', 'short lives', 17), ('staircase', 'staircases', 18)) f
    on f.column1 = w.key;

create unique index temp.workload_family_workload on workload_family (workload);

-- The runs of the experiments with the figure or the table of the suite, on its instances. The table
-- suite (harness/report/report_suite.h) has these:
--   class, place   of the instance; where the class stands among them
--   best_known     the peak of its best plan in the suite's table
--   above          peak / best_known - 1
--   solved         the peak is at most the best known
create temp table suite_result as
select r.*, s.name as instance, s.class, s.place, s.best_known,
       case when r.usable then r.peak * 1.0 / s.best_known - 1 end as above,
       coalesce(r.usable and r.peak <= s.best_known, 0) as solved
  from result r
  join suite s using (checksum)
  join experiment e on e.name = r.experiment and e.size = r.size
 where instr(' ' || e.figures || ' ', ' suite ');

-- What the searches of these runs counted: one row a run and statistic.
create temp view statistic_result as
select r.*, s.name as statistic, s.value from result r join statistic s on s.task = r.task;

-- The runs on networks, with the fusion apart from the other parameters:
--   network    the name, with the other parameters where there are any
--   fuse       none, bn or all
--   plain      there are no other parameters
--   line       numbers the networks of an experiment, in its order
create temp table network_result as
select r.*, dense_rank() over (partition by experiment order by first_seq) as line
  from (select named.*, min(seq) over (partition by experiment, network) as first_seq
          from (select r.*, workload_params in ('', 'fuse=bn', 'fuse=all') as plain,
                       case when workload_params like '%fuse=all%' then 'all'
                            when workload_params like '%fuse=bn%' then 'bn' else 'none' end as fuse,
                       workload_name || case when workload_params in ('', 'fuse=all', 'fuse=bn')
                         then '' else ':' || trim(replace(replace(',' || workload_params || ',',
                           ',fuse=all,', ','), ',fuse=bn,', ','), ',') end as network
                  from result r
                 where workload_kind = 'network') named) r;

-- The runs on scheduled graphs, with the schedule apart from the other parameters:
--   order_of   file, dfs, bfs, layers, greedy or optimal
--   groups     groups a layer is cut into; 0: a step an operator
--   family     the workload without order and groups
create temp table scheduled_result as
select s.*, workload_name || case when rest = '' then '' else ':' || rest end as family
  from (select r.*, coalesce(o.column1, 'file') as order_of,
               case when p.cells like '%,groups=%'
                    then cast(substr(p.cells, instr(p.cells, ',groups=') + 8) as integer)
                    else 0 end as groups,
               trim(replace(replace(p.cells, ',order=' || coalesce(o.column1, '') || ',', ','),
                            ',groups=' || case when p.cells like '%,groups=%'
                              then cast(substr(p.cells, instr(p.cells, ',groups=') + 8) as integer)
                              else '' end || ',', ','), ',') as rest
          from result r
          join (select id, ',' || params || ',' as cells from workload) p on p.id = r.workload
          left join (values ('dfs'), ('bfs'), ('layers'), ('greedy'), ('optimal')) o
            on p.cells like '%,order=' || o.column1 || ',%') s;

-- The runs on graphs, with what shares memory apart from the other parameters:
--   alias_of, inplace_of, concat_of   the values of alias=, inplace= and concat=
--   base       the workload without the three
create temp table shared_result as
select r.*, case when cells like '%,alias=on,%' then 'on' else 'off' end as alias_of,
       case when cells like '%,inplace=megengine,%' then 'megengine'
            when cells like '%,inplace=nnc,%' then 'nnc' else 'off' end as inplace_of,
       case when cells like '%,concat=place,%' then 'place' else 'copy' end as concat_of,
       rtrim(workload_name || ':' ||
             trim(replace(replace(replace(replace(cells, ',alias=on,', ','), ',concat=place,', ','),
                                  ',inplace=megengine,', ','), ',inplace=nnc,', ','), ','), ':')
         as base
  from (select r.*, ',' || r.workload_params || ',' as cells from result r) r;

-- The runs on graphs, with what convolutions work in apart from the other parameters:
--   workspace_of   none, a formula or a kernel: the value of workspace=
--   batch_of       the value of batch=
create temp table workspace_result as
select r.*,
       case when workspace_at > 0
            then substr(cells, workspace_at + 11,
                        instr(substr(cells, workspace_at + 11), ',') - 1)
            else 'none' end as workspace_of,
       case when batch_at > 0 then cast(substr(cells, batch_at + 7) as integer)
            else 1 end as batch_of
  from (select r.*, instr(cells, ',workspace=') as workspace_at, instr(cells, ',batch=') as batch_at
          from (select r.*, ',' || r.workload_params || ',' as cells from result r) r) r;

-- The runs on networks with loops:
--   treatment  copy, coalloc or unroll
--   subgraphs  flat, buffers or block: how loops are planned
--   flat       with what is around them
--   least      unrolled as often as it takes, or not asked to be unrolled
--   depth      the parameter of the generator recurrence, else NULL
--   family     the workload without the treatment
--   unroll, trips, copied   facts: copies of a body, iterations, bytes copied in a run
create temp table loop_result as
select l.*, subgraphs = 'flat' as flat,
       workload_name || case when rest = '' then '' else ':' || rest end as family
  from (select r.*, coalesce(t.column1, 'copy') as treatment,
               coalesce(g.column1, 'flat') as subgraphs,
               p.cells not like '%,unroll=%' as least,
               case when p.cells like '%,depth=%'
                    then cast(substr(p.cells, instr(p.cells, ',depth=') + 7) as integer)
                    when workload_name = 'recurrence' then 4 end as depth,
               trim(replace(replace(replace(p.cells,
                      ',loops=' || coalesce(t.column1, '') || ',', ','),
                      ',unroll=' || case when p.cells like '%,unroll=%'
                        then cast(substr(p.cells, instr(p.cells, ',unroll=') + 8) as integer)
                        else '' end || ',', ','),
                      ',subgraphs=' || coalesce(g.column1, '') || ',', ','), ',') as rest,
               u.value as unroll, i.value as trips, b.value as copied
          from result r
          join (select id, ',' || params || ',' as cells from workload) p on p.id = r.workload
          join fact u on u.workload = r.workload and u.name = 'loop_unroll'
          join fact i on i.workload = r.workload and i.name = 'loop_trips'
          join fact b on b.workload = r.workload and b.name = 'loop_bytes'
          left join (values ('coalloc'), ('unroll')) t
            on p.cells like '%,loops=' || t.column1 || ',%'
          left join (values ('buffers'), ('block')) g
            on p.cells like '%,subgraphs=' || g.column1 || ',%') l;

-- The runs of the experiment scaling:
--   sizes_of   uniform or heavy
create temp table scaling_run as
select r.*, case when workload_params like '%sizes=heavy%' then 'heavy' else 'uniform' end as sizes_of
  from result r
 where experiment = 'scaling' and peak is not null and outcome <> 'invalid' and not timed;

-- Their medians over repetitions and seeds:
--   law           sizes_of
--   extra_bytes   resident memory beside that of naive at the same n
create temp table scaling_result as
select s.*, max(s.rss_bytes - b.rss_bytes, 0) as extra_bytes
  from (select sizes_of as law, solver, contestant, number, n, median(time_s) as time_s,
               median(rss_bytes) as rss_bytes
          from scaling_run group by sizes_of, contestant, n) s
  join (select sizes_of as law, n, median(rss_bytes) as rss_bytes
          from scaling_run where solver = 'naive' group by sizes_of, n) b using (law, n);

-- The figures and tables that each experiment has, with blanks around each.
create temp table listed as
select e.name as experiment, ' ' || e.figures || ' ' as figures
  from experiment e
  join chosen c on c.experiment = e.name and c.size = e.size;

-- The runs of the experiments with a figure or a table of the field, skipped and invalid ones left
-- out, with the family that an instance is of:
--   ratio      peak over the optimum, or over the best bound where that is open
--   family, place   workload_family's
create temp table tried_result as
select r.*, r.peak * 1.0 / nullif(r.bound, 0) as ratio, f.family, f.place
  from result r
  join workload_family f using (workload)
 where r.experiment in (select experiment from listed
                        where instr(figures, ' field ') or instr(figures, ' runtimes ')
                           or instr(figures, ' field-profile ')
                           or instr(figures, ' answer ') or instr(figures, ' wins ')
                           or instr(figures, ' online '))
   and r.outcome not in ('invalid', 'skipped');

-- Those of them that have a plan.
create temp view field_result as select * from tried_result where peak is not null;

-- The runs from which the table `answer` of an experiment is made: its own, and for the field's those
-- of the experiment million too, as a family of their own.  What the suite has of accelerators is with
-- these.
--   asker      that experiment
create temp view answer_result as
select experiment as asker, contestant, solver, checksum, task, arena, outcome, peak, ratio, time_s,
       optimum, iif(alike, 'accelerators', family) as family, iif(alike, 4, place) as place
  from (select *, place > 4 and checksum in (select checksum from suite
                                             where class = 'accelerator') as alike
          from field_result)
union all
select 'field', contestant, solver, checksum, task, arena, outcome, peak,
       peak * 1.0 / nullif(bound, 0), time_s, optimum, 'a million buffers', 5.5
  from result
 where experiment = 'million' and peak is not null and outcome not in ('invalid', 'skipped');

-- The runs of the experiment ties:
--   ties    upstream, index or shuffle
--   base    the contestant without that parameter
create temp table ties_result as
select r.*,
       case when contestant like '%ties=shuffle%' then 'shuffle'
            when contestant like '%ties=index%' then 'index' else 'upstream' end as ties,
       rtrim(replace(replace(replace(replace(contestant, ',ties=shuffle', ''), ',ties=index', ''),
                             'ties=shuffle', ''), 'ties=index', ''), ':') as base
  from result r
 where experiment = 'ties' and peak is not null and outcome <> 'invalid';

-- Rows and columns of the figure ties: planners and instances of which some random order of
-- equal keys gives another peak than another one.
create temp table ties_row as
select base, max(arena) as arena,
       row_number() over (order by not max(arena), max(high * 1.0 / low) desc, base) as line
  from (select base, checksum, max(arena) as arena, min(peak) as low, max(peak) as high
          from ties_result where ties = 'shuffle' and bound > 0 group by base, checksum)
 group by base having max(high > low);

create temp table ties_column as
select checksum, label, row_number() over (order by seq) as panel
  from (select checksum, min(seq) as seq,
               replace(min(workload_name), '.1048576.csv', '')
                 || case when max(workload_params like '%train=%') then char(10) || 'training'
                         else '' end as label
          from (select base, checksum, workload_name, workload_params, min(seq) as seq,
                       max(peak) * 1.0 / min(peak) as spread
                  from ties_result where ties = 'shuffle' and bound > 0 group by base, checksum)
         where spread > 1
         group by checksum order by max(spread) desc, checksum limit 12);

-- The plans of the experiments with the figure anytime as they came:
--   family, place   workload_family's
--   at_s     when, from the call on
--   gap      of this plan, to the optimum or the best bound
create temp table anytime_step as
select r.experiment, r.task, r.contestant, r.number, r.checksum, f.family, f.place, m.at_s,
       m.value / nullif(r.bound, 0) - 1 as gap
  from result r
  join workload_family f using (workload)
  join measurement m on m.task = r.task and m.name = 'incumbent'
 where r.experiment in (select experiment from listed where instr(figures, ' anytime '))
   and r.outcome not in ('invalid', 'skipped');

create index temp.anytime_step_task on anytime_step (experiment, task, at_s);

-- The same at eight moments a decade from 0.1 ms on:
--   gap   of the best plan so far; NULL: none yet
create temp table anytime_moment as
with recursive moment (k, at_s) as (
  select -32, 1e-4 union all
  select k + 1, pow(10, (k + 1) / 8.0) from moment where k < 48),
last (experiment, at_s) as (
  select experiment, 1.2 * max(time_limit_s) from result group by experiment)
select t.experiment, t.task, t.contestant, t.number, t.checksum, t.family, m.at_s,
       (select min(s.gap) from anytime_step s
         where s.experiment = t.experiment and s.task = t.task and s.at_s <= m.at_s) as gap
  from (select distinct experiment, task, contestant, number, checksum, family
          from anytime_step) t
  join last l using (experiment)
  join moment m on m.at_s <= l.at_s;

-- The instances of the experiment exact on which a bracket can be seen to close, the one
-- that took branch-and-bound the longest first: some solver had a plan or a bound at least
-- 1 % from the best bound.
--   panel   its number
create temp table bracket as
select checksum, row_number() over (order by max(case when solver = 'branch-and-bound' then time_s
         end) desc, checksum) as panel,
       min(workload_name) as name, max(n) as n
  from result r
 where experiment = 'exact' and outcome not in ('skipped', 'invalid')
   and exists (select * from result o
                 join measurement m on m.task = o.task and m.name in ('incumbent', 'bound')
                where o.experiment = 'exact' and o.checksum = r.checksum
                  and o.outcome not in ('skipped', 'invalid')
                  and abs(m.value - r.bound) > 0.01 * r.bound)
 group by checksum having max(bound) > 0;

-- The runs of the experiment alignment:
--   native   sizes and offsets rounded by the planner's own rule
--   base     the workload without that parameter
create temp table alignment_result as
select r.*, workload_params like '%align=native%' as native,
       rtrim(workload_name || ':' || trim(replace(',' || workload_params || ',',
             ',align=native,', ','), ','), ':') as base
  from result r
 where experiment = 'alignment' and peak is not null and outcome <> 'invalid';

-- What the rounding costs a planner on an instance, in per cent:
--   cost        of its peak
--   load_cost   of the load
create temp table alignment_cost as
select i.base, i.contestant, i.number, i.seq, 100.0 * (n.peak * 1.0 / i.peak - 1) as cost,
       100.0 * (n.lower_bound * 1.0 / i.load - 1) as load_cost
  from alignment_result n
  join alignment_result i using (base, contestant)
 where n.native and not i.native;

-- The runs of the experiment ablation:
--   side     finding: the optimum is the load; refuting: a bound is above it
--   shared   the same task, with the same seed, was proven under every switch
create temp table ablation_result as
select r.*, case when bound > load then 'refuting' else 'finding' end as side,
       min(coalesce(outcome = 'optimal', 0)) over (partition by checksum, seed, repetition) as shared
  from result r
 where experiment = 'ablation' and outcome not in ('skipped', 'invalid');
