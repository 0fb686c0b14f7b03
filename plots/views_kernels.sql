-- What figures and tables of kernels select from, as views.sql for planners.  The
-- table kernel (name, title, place) is there already, from the registry.

-- Layers with what is known about them.  short: what fits below an axis; kind: dense,
-- pointwise or depthwise, of which no mean says anything together.
create temp table layer as
select *, case when groups > 1 then 'dw ' else '' end || printf('%d×%d', r, s)
            || case when stride > 1 then printf('/%d', stride) else '' end
            || case when groups > 1 then printf(' %d', c) else printf(' %d–%d', c, k) end
            || printf(' @%d', h) as short,
       case when groups > 1 then 'depthwise' when c <= 4 then 'first'
            when stride > 1 then 'strided' when r = 1 and s = 1 then '1×1'
            else printf('%d×%d', r, s) end as family,
       case when groups > 1 then 'depthwise' when r = 1 and s = 1 then 'pointwise'
            else 'dense' end as kind,
       case when groups > 1 then 3 when r = 1 and s = 1 then 2 else 1 end as kind_place,
       2 * macs as flops, input_bytes + filter_bytes + output_bytes as bytes
  from (select w.id as workload, w.name as layer, w.label as shape,
               max(case f.name when 'c' then value end) as c,
               max(case f.name when 'h' then value end) as h,
               max(case f.name when 'k' then value end) as k,
               max(case f.name when 'out_w' then value end) as out_w,
               max(case f.name when 'r' then value end) as r,
               max(case f.name when 's' then value end) as s,
               max(case f.name when 'stride' then value end) as stride,
               max(case f.name when 'groups' then value end) as groups,
               max(case f.name when 'macs' then value end) as macs,
               max(case f.name when 'tap_share' then value end) as tap_share,
               max(case f.name when 'input_bytes' then value end) as input_bytes,
               max(case f.name when 'filter_bytes' then value end) as filter_bytes,
               max(case f.name when 'output_bytes' then value end) as output_bytes
          from workload w join fact f on f.workload = w.id
         where w.kind = 'layer' group by w.id);

create unique index temp.layer_workload on layer (workload);

-- On how many machines an experiment's kernels were measured.
create temp table conv_machines as
select e.experiment, count(distinct o.machine) as machines
  from experiment_task e
  join chosen using (experiment, size)
  join task t on t.id = e.task and t.kind = 'conv' and t.outcome = 'measured'
  join origin o on o.sweep = t.sweep
 group by e.experiment;

-- One row a kernel's task of an experiment.
--   isa       the instruction set, and which machine's where there are several: what
--             different machines measured is compared nowhere
--   vectors   co in vectors
create temp table conv_run as
select e.experiment, e.size, e.seq, p.*, t.workload, t.contestant as kernel, t.params,
       c.isa || case when n.machines > 1 then ' on machine ' || o.machine else '' end as isa,
       c.isa as instruction_set, o.build, o.machine, o.commit_id, o.processor,
       c.co / m.value as vectors, t.outcome = 'measured' as measured,
       case c.isa when 'generic' then 1 when 'avx2' then 2 else 3 end as isa_place
  from experiment_task e
  join chosen using (experiment, size)
  join task t on t.id = e.task
  join conv_passed p on p.task = t.id
  join conv c on c.task = t.id
  left join origin o on o.sweep = t.sweep
  left join conv_machines n on n.experiment = e.experiment
  left join constant m on m.sweep = t.sweep and m.isa = c.isa and m.name = 'vector'
 order by e.experiment, e.seq;

create index temp.conv_run_workload on conv_run (experiment, workload, isa, threads);

-- Each experiment's widest instruction set, for figures with room for one: of several
-- machines' the one with the most runs.
create temp table best_isa as
select experiment, isa from (
  select experiment, isa, row_number() over (partition by experiment
           order by max(isa_place) desc, count(*) desc, max(machine)) as n
    from conv_run where measured group by experiment, isa) where n = 1;

-- The processor's constants as the sweeps that measured an experiment found them.
create temp table conv_constant as
select r.experiment, r.isa, k.name, median(k.value) as value
  from (select distinct experiment, isa, instruction_set, sweep from conv_run where measured) r
  join constant k on k.sweep = r.sweep and k.isa = r.instruction_set
 group by r.experiment, r.isa, k.name;

-- A layer on one instruction set with one thread.  best_s and worst_s: of mgemm's
-- settings in the first pass; final_s: the best of mgemm in the final; peak: of the
-- probe, flops a second; drift: the reference kernel's time over its median.
create temp table conv_layer as
select experiment, workload, isa, max(machine) as machine, row_number() over (partition by experiment, isa
         order by min(seq)) as line,
       count(case when role = 'setting' then 1 end) as settings,
       min(case when role = 'setting' then time_s end) as best_s,
       max(case when role = 'setting' then time_s end) as worst_s,
       min(case when kernel = 'mgemm' then time_s end) as any_best_s,
       min(case when kernel = 'mgemm' then final_s end) as final_s,
       median(peak_flops) as peak, median(reference_s) as reference_s,
       avg(rounds) as rounds, avg(settled) as settled, median((high_s - low_s) / time_s / 2) as half
  from conv_run where measured and threads = 1
 group by experiment, workload, isa;

-- Settings, one a row, with what they lose to the layer's best in the same pass.
-- instance: the piece of code behind it, as kernels/mgemm/mgemm_list.h has them.
create temp table conv_setting as
select r.*, case when l.groups > 1 or r.wf is null or r.hfil is null then null
              else case when r.wf <> 'reload' then r.wf when r.ci = 1 then 'planar'
                     when l.r = 1 and l.s = 1 and l.stride = 1 then 'point' else 'blocked' end
                   || case when r.wf = 'reload' and l.stride > 1 then printf('/%d', l.stride)
                        else '' end
                   || printf(' %d×%d', r.vectors, r.wo)
                   || case when r.tile_rows > 1 then ' 2 rows' else '' end end as instance, l.flops / r.time_s / 1e9 as gflops, l.short, l.family, l.tap_share, l.flops, b.line,
       b.peak / 1e9 as peak, b.peak / 1e9 / l.tap_share as effective_peak,
       r.time_s / b.any_best_s - 1 as loss
  from conv_run r
  join layer l using (workload)
  join conv_layer b using (experiment, workload, isa)
 where r.measured and r.threads = 1 and r.kernel = 'mgemm';

create index temp.conv_setting_workload
    on conv_setting (experiment, workload, isa, vectors, wo);

-- Where a choice made without timing leads, in the first pass:
--   paper       the setting with the least M (ties: the first)
--   paper fits  the same among those that do not spill
--   model       the predictor's first choice
--   kernel      what mgemm chooses by itself
create temp table conv_choice as
select experiment, workload, isa, 'paper' as choice, loss, time_s, task from (
  select *, row_number() over (partition by experiment, workload, isa order by model_m, seq) as n
    from conv_setting where role = 'setting' and model_m is not null) where n = 1
union all
select experiment, workload, isa, 'paper fits', loss, time_s, task from (
  select *, row_number() over (partition by experiment, workload, isa order by model_m, seq) as n
    from conv_setting where role = 'setting' and model_m is not null and spilled = 0) where n = 1
union all
select experiment, workload, isa, 'model', loss, time_s, task
  from conv_setting where role = 'model' and rank = 1
union all
select experiment, workload, isa, 'kernel', loss, time_s, task
  from conv_setting where role = 'chosen';

-- The same setting for all layers of a network: parameters that every dense layer
-- of the network has, and the time of all of these layers, counted as often as the
-- network has them.
create temp table conv_fixed as
with used as (
  select u.experiment, u.network, u.workload, u.uses from layer_use u
    join chosen using (experiment, size) join layer l using (workload) where l.groups = 1),
wanted as (select experiment, network, count(*) as layers from used group by experiment, network)
select u.experiment, u.network, s.isa, s.vectors, s.wo, s.wf, s.tile_rows, s.hfil, s.loop_order,
       sum(u.uses * s.time_s) as time_s, count(*) as layers
  from used u
  join (select *, row_number() over (partition by experiment, workload, isa, vectors, wo, wf,
                  tile_rows, hfil, loop_order order by seq) as n
          from conv_setting where role = 'setting') s
    on s.experiment = u.experiment and s.workload = u.workload and s.n = 1
  join wanted w on w.experiment = u.experiment and w.network = u.network
 group by u.experiment, u.network, s.isa, s.vectors, s.wo, s.wf, s.tile_rows, s.hfil, s.loop_order
having count(*) = max(w.layers);

-- Libraries beside mgemm's best, in the same final.  ratio above 1: mgemm is faster.  winograd: it
-- is that algorithm, or may be.  tasks: of both.
create temp table conv_peer as
select r.experiment, r.workload, r.isa, r.isa_place, r.kernel as peer, k.place,
       r.kernel in ('onednn-winograd', 'onednn-auto') as winograd, coalesce(v.value, '') as version, l.short, l.family,
       l.kind, l.kind_place, l.flops, l.line, r.final_s / l.final_s as ratio, r.final_low_s / l.final_s as ratio_low,
       r.final_high_s / l.final_s as ratio_high, r.final_s as peer_s, l.final_s as mgemm_s,
       r.workspace_bytes, r.packed_bytes, r.pack_s,
       r.task || ' ' || (select min(m.task) from conv_run m
                          where m.experiment = r.experiment and m.workload = r.workload
                            and m.isa = r.isa and m.threads = 1 and m.kernel = 'mgemm'
                            and m.final_s = l.final_s) as tasks
  from conv_run r
  join (select b.*, l.short, l.family, l.kind, l.kind_place, l.flops from conv_layer b join layer l using (workload)) l
    using (experiment, workload, isa)
  left join kernel k on k.name = r.kernel
  left join provenance v on v.kind = 'build' and v.id = r.build and v.name = 'peer ' || r.kernel
 where r.role = 'peer' and r.measured and r.threads = 1 and r.final_s is not null
   and l.final_s is not null;

-- The fastest of the libraries that compute a convolution directly, beside mGEMM, on an experiment's
-- widest instruction set; of layers with groups those of several channels a group are a kind of
-- their own.
create temp table conv_direct as
select experiment, workload, isa, peer, ratio, mgemm_s,
       case when l.groups > 1 and l.groups < l.c then 'grouped' else l.kind end as kind,
       case when l.groups > 1 and l.groups < l.c then 4 else l.kind_place end as kind_place
  from (select *, row_number() over (partition by experiment, workload order by ratio, place) as n
          from conv_peer join best_isa using (experiment, isa)
         where peer in ('onednn', 'libxsmm', 'xnnpack'))
  join (select workload, groups, c, kind, kind_place from layer) l using (workload)
 where n = 1;

-- Runs of planners, kernels and networks alike, for captions and for what went wrong.
create temp table any_run as
select experiment, size, contestant, workload, checksum, outcome, reason, time_limit_s,
       memory_limit, 0 as kernel, task, finished, sweep, sweep as last_sweep from run
union all
select experiment, size, kernel || case when params = '' then '' else ':' || params end
         || ', ' || isa, workload, workload, outcome, reason, time_limit_s, 0, 1, task, finished,
       sweep, coalesce(final_sweep, sweep)
  from conv_run
union all
select experiment, size, contestant || ', ' || kernels || case threads when 1 then '' else printf(', %d threads', threads) end
         || case groups when 1 then ' for groups' else '' end,
       workload, checksum, outcome, reason, time_limit_s, memory_limit, 0, task, finished, sweep, sweep
  from execution_run;

-- Which sweeps an experiment's rows are of, with the runs that each of them made: none
-- where it only timed finalists again.
create temp table experiment_sweep as
select experiment, sweep, sum(runs) as runs, min(finished) as first, max(finished) as last
  from (select experiment, sweep, finished, 1 as runs from any_run
         union all
        select experiment, last_sweep, null, 0 from any_run where last_sweep <> sweep)
 group by experiment, sweep;

-- The provenance of all these rows.  whose: 'builds 1, 3' where a value is not that of
-- every build (machine, sweep) among them.
create temp table used_provenance as
with used as (
  select 'build' as kind, build as id from origin where sweep in (select sweep from experiment_sweep)
   union
  select 'machine', machine from origin where sweep in (select sweep from experiment_sweep)
   union
  select 'sweep', sweep from experiment_sweep)
select name, value, case when n = (select count(*) from used u where u.kind = p.kind) then ''
         when n = 1 then kind || ' ' || ids else kind || 's ' || ids end as whose
  from (select kind, name, value, count(*) as n, group_concat(id, ', ') as ids, min(id) as least
          from (select * from provenance join used using (kind, id) order by kind, name, id)
         group by kind, name, value) p
 order by name, least;

-- The layers that get a panel of their own, on the widest instruction set: of each
-- family the two with the most work, 8 at most.
create temp table conv_panel as
select experiment, workload, isa, row_number() over (partition by experiment order by nth, flops desc)
         as panel, short, peak, effective_peak, best
  from (select s.experiment, s.workload, s.isa, s.short, s.flops, max(s.peak) as peak,
               max(s.effective_peak) as effective_peak, max(s.gflops) as best,
               row_number() over (partition by s.experiment, s.family order by s.flops desc) as nth
          from conv_setting s join best_isa using (experiment, isa)
         where s.role = 'setting' and s.wf = 'reload' and s.tile_rows = 1
         group by s.experiment, s.workload
        having count(*) > 10)
 where nth <= 3;

delete from conv_panel where panel > 8;

-- Pairs of settings of a layer that differ in one thing: the time of one with it over
-- the time of one without.  variant numbers the things as the figure does.
create temp table conv_variant as
select 1 as variant, a.experiment, a.workload, a.isa, a.time_s / b.time_s as ratio
  from conv_setting a
  join conv_setting b using (experiment, workload, isa, vectors, wo, tile_rows, wf, cco, loop_order, ci, cci)
 where a.role = 'setting' and b.role = 'setting' and a.hfil = 'outside' and b.hfil = 'inside'
   and a.workload in (select workload from layer where r > 1)
union all
select 2 as variant, a.experiment, a.workload, a.isa, a.time_s / b.time_s as ratio
  from conv_setting a
  join conv_setting b using (experiment, workload, isa, vectors, wo, tile_rows, wf, cco, hfil, ci, cci)
 where a.role = 'setting' and b.role = 'setting' and a.loop_order = 'tile-co' and b.loop_order = 'co-tile'
union all
select 3 as variant, a.experiment, a.workload, a.isa, a.time_s / b.time_s as ratio
  from conv_setting a
  join conv_setting b using (experiment, workload, isa, vectors, wo, tile_rows, wf, loop_order, hfil, ci, cci)
 where a.role = 'setting' and b.role = 'setting' and a.cco = 4 * b.cco and b.cco = b.co
union all
select case a.wf when 'keep' then 4 else 5 end as variant, a.experiment, a.workload, a.isa, a.time_s / b.time_s as ratio
  from conv_setting a
  join conv_setting b using (experiment, workload, isa, vectors, wo, tile_rows, cco, loop_order, hfil, ci, cci)
 where a.role = 'setting' and b.role = 'setting' and a.wf in ('keep', 'filter') and b.wf = 'reload'
union all
select 6 as variant, a.experiment, a.workload, a.isa, a.time_s / b.time_s as ratio
  from conv_setting a
  join conv_setting b using (experiment, workload, isa, vectors, wo, wf, cco, loop_order, hfil, ci, cci)
 where a.role = 'setting' and b.role = 'setting' and a.tile_rows = 2 and b.tile_rows = 1;
