-- A results store of schema 5 as SQL text: two instances and a layer, swept once.
CREATE TABLE build (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
INSERT INTO "build" VALUES(1,'cflags=-std=gnu11   -g -O2
changes=none
commit=13d24d0c6c5cc55e64251b7ba0c9a200c3993cdd
compiler=gcc (Debian 12.2.0-14+deb12u1) 12.2.0
configure=''CC=ccache gcc''
glpk=5.0
gsl=2.7.1
left_out=nothing
libc=glibc 2.36
libconfig=1.5.0
peer im2col-openblas=OpenBLAS 0.3.21
peer libxsmm=1.17
peer onednn=2.6.3
peer onednn-auto=2.6.3
peer onednn-winograd=2.6.3
peer xnnpack=2022
random_numbers=mt19937
sqlite=3.40.1
version=0.1.0-13d24d0
');
CREATE TABLE constant (sweep INTEGER REFERENCES sweep, isa TEXT, name TEXT, value REAL, PRIMARY KEY (sweep, isa, name)) WITHOUT ROWID;
INSERT INTO "constant" VALUES(1,'generic','accumulator_s',1.40267794839538849555e-10);
INSERT INTO "constant" VALUES(1,'generic','call_s',1.31519997618549192713e-08);
INSERT INTO "constant" VALUES(1,'generic','latency_s',4.88750022971847437013e-10);
INSERT INTO "constant" VALUES(1,'generic','load_s',1.27151172716641907862e-10);
INSERT INTO "constant" VALUES(1,'generic','peak_flops',4.63214702648553161611e+10);
INSERT INTO "constant" VALUES(1,'generic','read 1048576',9.25587858203212127724e+10);
INSERT INTO "constant" VALUES(1,'generic','read 131072',9.28187105338229370091e+10);
INSERT INTO "constant" VALUES(1,'generic','read 16384',1.25834466628602905269e+11);
INSERT INTO "constant" VALUES(1,'generic','read 16777216',2.94005463922140350338e+10);
INSERT INTO "constant" VALUES(1,'generic','read 2097152',5.99322683831188354492e+10);
INSERT INTO "constant" VALUES(1,'generic','read 262144',9.25587858203212127724e+10);
INSERT INTO "constant" VALUES(1,'generic','read 32768',1.25834466628602905269e+11);
INSERT INTO "constant" VALUES(1,'generic','read 33554432',1.50677496646419830329e+10);
INSERT INTO "constant" VALUES(1,'generic','read 4194304',3.08852940107888526916e+10);
INSERT INTO "constant" VALUES(1,'generic','read 524288',9.25587858203212127724e+10);
INSERT INTO "constant" VALUES(1,'generic','read 65536',9.28187105338229370091e+10);
INSERT INTO "constant" VALUES(1,'generic','read 8192',1.25834466628602905269e+11);
INSERT INTO "constant" VALUES(1,'generic','read 8388608',2.96756469109462318427e+10);
INSERT INTO "constant" VALUES(1,'generic','registers',16.0);
INSERT INTO "constant" VALUES(1,'generic','tile_s',6.53285843284157835726e-09);
INSERT INTO "constant" VALUES(1,'generic','vector',4.0);
CREATE TABLE conv (task INTEGER PRIMARY KEY REFERENCES task ON DELETE CASCADE, isa TEXT, threads INTEGER, role TEXT, rank INTEGER, run_params TEXT, co INTEGER, wo INTEGER, ci INTEGER, wf TEXT, hfil TEXT, tile_rows INTEGER, cco INTEGER, loop_order TEXT, cci INTEGER, workspace_bytes INTEGER, packed_bytes INTEGER, pack_s REAL, max_error REAL, compared INTEGER, rounds INTEGER, low_s REAL, high_s REAL, settled INTEGER, peak_flops REAL, reference_s REAL, model_m REAL, model_exact REAL, predicted_s REAL, registers INTEGER, spilled INTEGER, chains INTEGER, final_rounds INTEGER, final_s REAL, final_low_s REAL, final_high_s REAL, final_sweep INTEGER REFERENCES sweep);
INSERT INTO "conv" VALUES(9,'generic',1,'chosen',NULL,'',8,5,4,'reload','inside',1,8,'co-tile',4,0,1184,2.71000317297875881195e-07,7.12768436716970654742e-07,72,6,2.15823911216851e-07,2.3335412552020021867e-07,0,4.56237838709846954326e+10,3.27024999933200888335e-04,3.80555555555555535818e-01,3.80555555555555535818e-01,1.82978932200324038177e-07,10,0,6,6,2.16583383277314551161e-07,2.1595158427209162615e-07,2.17622833246993132184e-07,1);
INSERT INTO "conv" VALUES(10,'generic',1,'setting',NULL,'co=4,wo=2,ci=4,wf=reload,hfil=inside,rows=1,cco=8,order=co-tile,cci=4',4,2,4,'reload','inside',1,8,'co-tile',4,0,1184,2.83000190393067896366e-07,7.12768436716970654742e-07,72,6,4.68584463637860193507e-07,5.11935143125753396985e-07,0,4.56237838709846954326e+10,3.27024999933200888335e-04,8.05555555555555580227e-01,8.05555555555555580227e-01,4.02128111265883369206e-07,5,0,2,6,4.7362969163910581807e-07,4.68216488289134337907e-07,5.14810322471782e-07,1);
INSERT INTO "conv" VALUES(11,'generic',1,'model',2,'co=8,wo=5,ci=4,wf=keep,hfil=inside,rows=1,cco=8,order=co-tile,cci=4',8,5,4,'keep','inside',1,8,'co-tile',4,0,1184,2.88999217445962131023e-07,7.12768436716970654742e-07,72,6,1.91088677106371632626e-07,2.08128538472440185493e-07,0,4.56237838709846954326e+10,3.27024999933200888335e-04,2.97222222222222220988e-01,3.13888888888888883954e-01,1.49599497156968696135e-07,13,0,6,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "conv" VALUES(12,'generic',1,'model',1,'co=8,wo=6,ci=4,wf=keep,hfil=inside,rows=1,cco=8,order=co-tile,cci=4',8,6,4,'keep','inside',1,8,'co-tile',4,0,1184,1.97000190382823348045e-07,7.12768436716970654742e-07,72,6,1.91229210281440876652e-07,2.05074073778256704822e-07,0,4.56237838709846954326e+10,3.27024999933200888335e-04,2.63888888888888839545e-01,2.77777777777777790113e-01,1.49599497156968696135e-07,13,0,6,6,1.91435468272544494425e-07,1.91176697270993267083e-07,1.92975217042899107461e-07,1);
INSERT INTO "conv" VALUES(13,'generic',1,'setting',NULL,'co=8,wo=3,ci=4,wf=reload,hfil=inside,rows=1,cco=8,order=co-tile,cci=4',8,3,4,'reload','inside',1,8,'co-tile',4,0,1184,1.9399885786697268486e-07,7.12768436716970654742e-07,72,6,2.14969442469573558652e-07,2.51070181196303755799e-07,0,4.56237838709846954326e+10,3.27024999933200888335e-04,5.13888888888888839545e-01,5.13888888888888839545e-01,1.82978932200324038177e-07,10,0,6,6,2.1773594017152187465e-07,2.1643560729764351018e-07,2.27069550705415063572e-07,1);
CREATE TABLE experiment (name TEXT, size TEXT, title TEXT, description TEXT, figures TEXT, timing INTEGER, budget_s REAL, used_s REAL, tasks INTEGER, skipped INTEGER, PRIMARY KEY (name, size));
INSERT INTO "experiment" VALUES('gap','quick','Gap','','gap',0,5.0,9.26214200080721639096e-03,8,0);
INSERT INTO "experiment" VALUES('blocking','quick','Blocking','','blocking-roofline',1,1.0,2.84367050400032894685e+00,5,0);
CREATE TABLE experiment_task (experiment TEXT, size TEXT, seq INTEGER, task INTEGER REFERENCES task ON DELETE CASCADE, PRIMARY KEY (experiment, size, seq)) WITHOUT ROWID;
INSERT INTO "experiment_task" VALUES('gap','quick',0,1);
INSERT INTO "experiment_task" VALUES('gap','quick',4,2);
INSERT INTO "experiment_task" VALUES('gap','quick',1,3);
INSERT INTO "experiment_task" VALUES('gap','quick',2,4);
INSERT INTO "experiment_task" VALUES('gap','quick',5,5);
INSERT INTO "experiment_task" VALUES('gap','quick',3,6);
INSERT INTO "experiment_task" VALUES('gap','quick',6,7);
INSERT INTO "experiment_task" VALUES('gap','quick',7,8);
INSERT INTO "experiment_task" VALUES('blocking','quick',0,9);
INSERT INTO "experiment_task" VALUES('blocking','quick',1,10);
INSERT INTO "experiment_task" VALUES('blocking','quick',4,11);
INSERT INTO "experiment_task" VALUES('blocking','quick',3,12);
INSERT INTO "experiment_task" VALUES('blocking','quick',2,13);
CREATE TABLE fact (workload INTEGER REFERENCES workload, name TEXT, value REAL, PRIMARY KEY (workload, name)) WITHOUT ROWID;
INSERT INTO "fact" VALUES(2,'operators',8.0);
INSERT INTO "fact" VALUES(2,'scheduled_s',1.45154873950330710191e-04);
INSERT INTO "fact" VALUES(2,'serial_s',1.45154873950330710191e-04);
INSERT INTO "fact" VALUES(2,'speed_up',1.0);
INSERT INTO "fact" VALUES(2,'steps',8.0);
INSERT INTO "fact" VALUES(2,'weight_bytes',0.0);
INSERT INTO "fact" VALUES(3,'c',4.0);
INSERT INTO "fact" VALUES(3,'filter_bytes',1152.0);
INSERT INTO "fact" VALUES(3,'groups',1.0);
INSERT INTO "fact" VALUES(3,'h',5.0);
INSERT INTO "fact" VALUES(3,'input_bytes',400.0);
INSERT INTO "fact" VALUES(3,'k',8.0);
INSERT INTO "fact" VALUES(3,'macs',2592.0);
INSERT INTO "fact" VALUES(3,'n',1.0);
INSERT INTO "fact" VALUES(3,'out_h',3.0);
INSERT INTO "fact" VALUES(3,'out_w',3.0);
INSERT INTO "fact" VALUES(3,'output_bytes',288.0);
INSERT INTO "fact" VALUES(3,'r',3.0);
INSERT INTO "fact" VALUES(3,'s',3.0);
INSERT INTO "fact" VALUES(3,'stride',1.0);
INSERT INTO "fact" VALUES(3,'tap_share',1.0);
INSERT INTO "fact" VALUES(3,'w',5.0);
CREATE TABLE layer_use (experiment TEXT, size TEXT, workload INTEGER REFERENCES workload, network TEXT, uses INTEGER, PRIMARY KEY (experiment, size, workload, network)) WITHOUT ROWID;
INSERT INTO "layer_use" VALUES('blocking','quick',3,'single layers',1);
CREATE TABLE machine (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
INSERT INTO "machine" VALUES(1,'caches=L1 Data 48K, L1 Instruction 64K, L2 Unified 2048K, L3 Unified 491520K
cores=2
instruction_sets=ssse3 fma sse4_1 sse4_2 popcnt avx f16c avx2 bmi2 avx512f avx512dq avx512ifma avx512cd avx512bw avx512vl avx512_bf16 avx512vbmi avx512_vbmi2 avx512_vnni avx512_bitalg avx512_vpopcntdq amx_bf16 avx512_fp16 amx_tile amx_int8
kernel=Linux 6.18.44-fc-v769 x86_64
memory_bytes=25276063744
microcode=0x1
processor=Intel(R) Xeon(R) Processor
');
CREATE TABLE measurement (task INTEGER REFERENCES task ON DELETE CASCADE, seq INTEGER, name TEXT, at_s REAL, value REAL, PRIMARY KEY (task, seq)) WITHOUT ROWID;
INSERT INTO "measurement" VALUES(1,0,'incumbent',1.30600001284619793295e-05,308.0);
INSERT INTO "measurement" VALUES(2,0,'incumbent',1.70630009961314499378e-05,354.0);
INSERT INTO "measurement" VALUES(3,0,'incumbent',4.1156999941449612379e-05,176.0);
INSERT INTO "measurement" VALUES(4,0,'incumbent',1.66270001500379294157e-05,234.0);
INSERT INTO "measurement" VALUES(5,0,'incumbent',4.6127999667078256607e-05,222.0);
INSERT INTO "measurement" VALUES(6,0,'incumbent',1.35329999466193839907e-04,174.0);
INSERT INTO "measurement" VALUES(6,1,'bound',1.43468998430762439966e-04,174.0);
INSERT INTO "measurement" VALUES(7,0,'incumbent',3.32140007230918854475e-05,222.0);
INSERT INTO "measurement" VALUES(8,0,'incumbent',1.03888000012375414371e-04,222.0);
INSERT INTO "measurement" VALUES(8,1,'bound',1.14574999315664172172e-04,222.0);
INSERT INTO "measurement" VALUES(9,0,'turn',2.73174782299975049681e+00,2.15823911216851e-07);
INSERT INTO "measurement" VALUES(9,1,'turn',2.74915935399985755793e+00,2.2707634868309515292e-07);
INSERT INTO "measurement" VALUES(9,2,'turn',2.765609480000421172e+00,2.3335412552020021867e-07);
INSERT INTO "measurement" VALUES(9,3,'turn',2.77557671599970490206e+00,2.16168291178839655172e-07);
INSERT INTO "measurement" VALUES(9,4,'turn',2.78348937200098589528e+00,2.31822937116493745348e-07);
INSERT INTO "measurement" VALUES(9,5,'turn',2.79359287500119535252e+00,2.30489928731136577144e-07);
INSERT INTO "measurement" VALUES(9,1000000,'final',0.0,2.17063957179034515377e-07);
INSERT INTO "measurement" VALUES(9,1000001,'final',1.0,2.17622833246993132184e-07);
INSERT INTO "measurement" VALUES(9,1000002,'final',2.0,2.17448296701585417007e-07);
INSERT INTO "measurement" VALUES(9,1000003,'final',3.0,2.15976688609110850777e-07);
INSERT INTO "measurement" VALUES(9,1000004,'final',4.0,2.1610280937559456049e-07);
INSERT INTO "measurement" VALUES(9,1000005,'final',5.0,2.1595158427209162615e-07);
INSERT INTO "measurement" VALUES(10,0,'turn',2.73260428000139654614e+00,4.73036953251332e-07);
INSERT INTO "measurement" VALUES(10,1,'turn',2.74564994100001058541e+00,4.79119154486364855682e-07);
INSERT INTO "measurement" VALUES(10,2,'turn',2.76653000000078463926e+00,5.11935143125753396985e-07);
INSERT INTO "measurement" VALUES(10,3,'turn',2.77641439299986814148e+00,4.68584463637860193507e-07);
INSERT INTO "measurement" VALUES(10,4,'turn',2.78437723500064748805e+00,4.77418551662393139461e-07);
INSERT INTO "measurement" VALUES(10,5,'turn',2.79460597900106222368e+00,4.83896682142237233173e-07);
INSERT INTO "measurement" VALUES(10,1000000,'final',0.0,5.06674933815924256972e-07);
INSERT INTO "measurement" VALUES(10,1000001,'final',1.0,4.69711125791965475751e-07);
INSERT INTO "measurement" VALUES(10,1000002,'final',2.0,4.74981233073728032183e-07);
INSERT INTO "measurement" VALUES(10,1000003,'final',3.0,4.7227815020448360387e-07);
INSERT INTO "measurement" VALUES(10,1000004,'final',4.0,5.14810322471782e-07);
INSERT INTO "measurement" VALUES(10,1000005,'final',5.0,4.68216488289134337907e-07);
INSERT INTO "measurement" VALUES(11,0,'turn',2.7334075440012384206e+00,1.99740324006644574365e-07);
INSERT INTO "measurement" VALUES(11,1,'turn',2.74646758800008683465e+00,1.92535817157914280264e-07);
INSERT INTO "measurement" VALUES(11,2,'turn',2.75363378000110969878e+00,2.08128538472440185493e-07);
INSERT INTO "measurement" VALUES(11,3,'turn',2.77719971999977133236e+00,1.98199595846916349125e-07);
INSERT INTO "measurement" VALUES(11,4,'turn',2.78964520900080970022e+00,1.91088677106371632626e-07);
INSERT INTO "measurement" VALUES(11,5,'turn',2.79761947699989832472e+00,1.93470248617654199318e-07);
INSERT INTO "measurement" VALUES(12,0,'turn',2.73763147700083209201e+00,1.91845562532040831722e-07);
INSERT INTO "measurement" VALUES(12,1,'turn',2.7473121359998913249e+00,1.91229210281440876652e-07);
INSERT INTO "measurement" VALUES(12,2,'turn',2.75543996000124025158e+00,1.91519217274522480457e-07);
INSERT INTO "measurement" VALUES(12,3,'turn',2.77364147400112415198e+00,2.05074073778256704822e-07);
INSERT INTO "measurement" VALUES(12,4,'turn',2.79049345600105880293e+00,1.92428138695917351347e-07);
INSERT INTO "measurement" VALUES(12,5,'turn',2.7984728880001057405e+00,1.92759608732572876553e-07);
INSERT INTO "measurement" VALUES(12,1000000,'final',0.0,1.9130125501464980418e-07);
INSERT INTO "measurement" VALUES(12,1000001,'final',1.0,1.91569681530439158197e-07);
INSERT INTO "measurement" VALUES(12,1000002,'final',2.0,1.9120180248618570528e-07);
INSERT INTO "measurement" VALUES(12,1000003,'final',3.0,1.92975217042899107461e-07);
INSERT INTO "measurement" VALUES(12,1000004,'final',4.0,1.91176697270993267083e-07);
INSERT INTO "measurement" VALUES(12,1000005,'final',5.0,1.92671708679015537442e-07);
INSERT INTO "measurement" VALUES(13,0,'turn',2.73868598100125382188e+00,2.17934519802403126563e-07);
INSERT INTO "measurement" VALUES(13,1,'turn',2.74834399900100834202e+00,2.17513096361821982966e-07);
INSERT INTO "measurement" VALUES(13,2,'turn',2.76129525100077444221e+00,2.51070181196303755799e-07);
INSERT INTO "measurement" VALUES(13,3,'turn',2.77475293600036820862e+00,2.19637004705998161043e-07);
INSERT INTO "measurement" VALUES(13,4,'turn',2.7826788399997894885e+00,2.14969442469573558652e-07);
INSERT INTO "measurement" VALUES(13,5,'turn',2.79951260699999693315e+00,2.17874076580301948295e-07);
INSERT INTO "measurement" VALUES(13,1000000,'final',0.0,2.18277204832714505659e-07);
INSERT INTO "measurement" VALUES(13,1000001,'final',1.0,2.1687720465658236941e-07);
INSERT INTO "measurement" VALUES(13,1000002,'final',2.0,2.27069550705415063572e-07);
INSERT INTO "measurement" VALUES(13,1000003,'final',3.0,2.1643560729764351018e-07);
INSERT INTO "measurement" VALUES(13,1000004,'final',4.0,2.17194675510329270138e-07);
INSERT INTO "measurement" VALUES(13,1000005,'final',5.0,2.18487853490780061611e-07);
CREATE TABLE plan (task INTEGER PRIMARY KEY REFERENCES task ON DELETE CASCADE, layout TEXT, peak INTEGER, lower_bound INTEGER, nodes INTEGER, objects INTEGER, replay TEXT, offsets BLOB);
INSERT INTO "plan" VALUES(1,'objects',308,174,0,8,'none',X'00000000000000003E00000000000000780000000000000086000000000000009B00000000000000C200000000000000DC00000000000000FA00000000000000');
INSERT INTO "plan" VALUES(2,'objects',354,222,0,7,'bytes',X'0000000000000000080000000000000047000000000000008400000000000000E800000000000000F7000000000000000001000000000000');
INSERT INTO "plan" VALUES(3,'arena',176,174,0,0,'none',X'00000000000000003E00000000000000000000000000000061000000000000003A00000000000000960000000000000078000000000000000000000000000000');
INSERT INTO "plan" VALUES(4,'arena',234,174,0,0,'none',X'00000000000000003E0000000000000000000000000000000000000000000000150000000000000096000000000000007800000000000000B000000000000000');
INSERT INTO "plan" VALUES(5,'arena',222,222,0,0,'bytes',X'A100000000000000000000000000000064000000000000000000000000000000C600000000000000D5000000000000006400000000000000');
INSERT INTO "plan" VALUES(6,'arena',174,174,8,0,'none',X'58000000000000001E000000000000005F00000000000000990000000000000038000000000000001E0000000000000000000000000000005F00000000000000');
INSERT INTO "plan" VALUES(7,'arena',222,222,0,0,'bytes',X'0000000000000000080000000000000073000000000000000F000000000000000000000000000000D5000000000000007300000000000000');
INSERT INTO "plan" VALUES(8,'arena',222,222,7,0,'bytes',X'3D00000000000000450000000000000000000000000000006200000000000000C600000000000000D5000000000000000000000000000000');
CREATE TABLE provenance (kind TEXT, id INTEGER, name TEXT, value TEXT, PRIMARY KEY (kind, id, name)) WITHOUT ROWID;
INSERT INTO "provenance" VALUES('build',1,'cflags','-std=gnu11   -g -O2');
INSERT INTO "provenance" VALUES('build',1,'changes','none');
INSERT INTO "provenance" VALUES('build',1,'commit','13d24d0c6c5cc55e64251b7ba0c9a200c3993cdd');
INSERT INTO "provenance" VALUES('build',1,'compiler','gcc (Debian 12.2.0-14+deb12u1) 12.2.0');
INSERT INTO "provenance" VALUES('build',1,'configure','''CC=ccache gcc''');
INSERT INTO "provenance" VALUES('build',1,'glpk','5.0');
INSERT INTO "provenance" VALUES('build',1,'gsl','2.7.1');
INSERT INTO "provenance" VALUES('build',1,'left_out','nothing');
INSERT INTO "provenance" VALUES('build',1,'libc','glibc 2.36');
INSERT INTO "provenance" VALUES('build',1,'libconfig','1.5.0');
INSERT INTO "provenance" VALUES('build',1,'peer im2col-openblas','OpenBLAS 0.3.21');
INSERT INTO "provenance" VALUES('build',1,'peer libxsmm','1.17');
INSERT INTO "provenance" VALUES('build',1,'peer onednn','2.6.3');
INSERT INTO "provenance" VALUES('build',1,'peer onednn-auto','2.6.3');
INSERT INTO "provenance" VALUES('build',1,'peer onednn-winograd','2.6.3');
INSERT INTO "provenance" VALUES('build',1,'peer xnnpack','2022');
INSERT INTO "provenance" VALUES('build',1,'random_numbers','mt19937');
INSERT INTO "provenance" VALUES('build',1,'sqlite','3.40.1');
INSERT INTO "provenance" VALUES('build',1,'version','0.1.0-13d24d0');
INSERT INTO "provenance" VALUES('machine',1,'caches','L1 Data 48K, L1 Instruction 64K, L2 Unified 2048K, L3 Unified 491520K');
INSERT INTO "provenance" VALUES('machine',1,'cores','2');
INSERT INTO "provenance" VALUES('machine',1,'instruction_sets','ssse3 fma sse4_1 sse4_2 popcnt avx f16c avx2 bmi2 avx512f avx512dq avx512ifma avx512cd avx512bw avx512vl avx512_bf16 avx512vbmi avx512_vbmi2 avx512_vnni avx512_bitalg avx512_vpopcntdq amx_bf16 avx512_fp16 amx_tile amx_int8');
INSERT INTO "provenance" VALUES('machine',1,'kernel','Linux 6.18.44-fc-v769 x86_64');
INSERT INTO "provenance" VALUES('machine',1,'memory_bytes','25276063744');
INSERT INTO "provenance" VALUES('machine',1,'microcode','0x1');
INSERT INTO "provenance" VALUES('machine',1,'processor','Intel(R) Xeon(R) Processor');
INSERT INTO "provenance" VALUES('sweep',1,'command_line','arenabench sweep --output old --jobs 2 gap.cfg blocking.cfg');
INSERT INTO "provenance" VALUES('sweep',1,'data','none');
INSERT INTO "provenance" VALUES('sweep',1,'date','2026-11-22T09:05:41Z');
INSERT INTO "provenance" VALUES('sweep',1,'governor','unknown');
INSERT INTO "provenance" VALUES('sweep',1,'jobs','2');
INSERT INTO "provenance" VALUES('sweep',1,'limits of blocking','time 5 s, memory half of the memory / jobs, work 0');
INSERT INTO "provenance" VALUES('sweep',1,'limits of gap','time 20 s, memory 268435456 bytes, work 0');
INSERT INTO "provenance" VALUES('sweep',1,'load_average','5.77 4.38 2.93');
INSERT INTO "provenance" VALUES('sweep',1,'size','quick');
CREATE TABLE sweep (id INTEGER PRIMARY KEY, build INTEGER REFERENCES build, machine INTEGER REFERENCES machine);
INSERT INTO "sweep" VALUES(1,1,1);
CREATE TABLE task (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT, workload INTEGER REFERENCES workload, contestant TEXT, params TEXT, contestant_checksum TEXT, seed INTEGER, repetition INTEGER, time_limit_s REAL, memory_limit INTEGER, work_limit INTEGER, outcome TEXT, reason TEXT, timed INTEGER, time_s REAL, cpu_s REAL, verify_s REAL, replay_s REAL, harness_s REAL, rss_bytes INTEGER, finished TEXT, sweep INTEGER REFERENCES sweep);
INSERT INTO "task" VALUES(1,'plan uniform:n=8 9b5c705aaff8be5e naive seed=1 time=20 memory=268435456 work=0 repetition=1 build=bcf270cfa45435ba5219c5830a05db41','plan',1,'naive','','bcf270cfa45435ba5219c5830a05db41',1,1,20.0,268435456,0,'feasible','',0,8.75700061442330479621e-06,0.000305,9.97200004348997e-06,0.0,9.17953000680427066981e-04,3325952,'2026-11-22T09:05:41Z',1);
INSERT INTO "task" VALUES(2,'plan random-dag:n=8 3b13f3feff96fbe6 naive seed=1 time=20 memory=268435456 work=0 repetition=1 build=bcf270cfa45435ba5219c5830a05db41','plan',2,'naive','','bcf270cfa45435ba5219c5830a05db41',1,1,20.0,268435456,0,'feasible','',0,1.18000007205409929156e-05,0.00041,7.91200000094249844551e-06,8.36700019135605543851e-06,1.40830399868718814104e-03,3309568,'2026-11-22T09:05:41Z',1);
INSERT INTO "task" VALUES(3,'plan uniform:n=8 9b5c705aaff8be5e greedy-by-size seed=1 time=20 memory=268435456 work=0 repetition=1 build=1b9d2732a9537ad697479a5b1acbff7a','plan',1,'greedy-by-size','','1b9d2732a9537ad697479a5b1acbff7a',1,1,20.0,268435456,0,'feasible','',0,3.66250005754409357905e-05,0.000325,5.35899926035199314355e-06,0.0,8.83575999978347681462e-04,3457024,'2026-11-22T09:05:41Z',1);
INSERT INTO "task" VALUES(4,'plan uniform:n=8 9b5c705aaff8be5e path-cover seed=1 time=20 memory=268435456 work=0 repetition=1 build=4725935e5f535f142b3dd2eb956e1091','plan',1,'path-cover','','4725935e5f535f142b3dd2eb956e1091',1,1,20.0,268435456,0,'feasible','',0,1.35120008053490892052e-05,0.000216,4.18200033891480416059e-06,0.0,3.11587997202877886593e-04,3325952,'2026-11-22T09:05:41Z',1);
INSERT INTO "task" VALUES(5,'plan random-dag:n=8 3b13f3feff96fbe6 greedy-by-size seed=1 time=20 memory=268435456 work=0 repetition=1 build=1b9d2732a9537ad697479a5b1acbff7a','plan',2,'greedy-by-size','','1b9d2732a9537ad697479a5b1acbff7a',1,1,20.0,268435456,0,'optimal','',0,4.17400005972012877464e-05,0.000352,5.61500019102823e-06,5.81400126975495368242e-06,9.5844199859129730612e-04,3440640,'2026-11-22T09:05:41Z',1);
INSERT INTO "task" VALUES(6,'plan uniform:n=8 9b5c705aaff8be5e branch-and-bound seed=1 time=20 memory=268435456 work=0 repetition=1 build=51ad6cb94110dcb66eaa1f3010701e01','plan',1,'branch-and-bound','','51ad6cb94110dcb66eaa1f3010701e01',1,1,20.0,268435456,0,'optimal','',0,1.43563998790341429412e-04,0.000503,7.88099896453786641359e-06,0.0,3.05049600137863308191e-03,3956736,'2026-11-22T09:05:41Z',1);
INSERT INTO "task" VALUES(7,'plan random-dag:n=8 3b13f3feff96fbe6 path-cover seed=1 time=20 memory=268435456 work=0 repetition=1 build=4725935e5f535f142b3dd2eb956e1091','plan',2,'path-cover','','4725935e5f535f142b3dd2eb956e1091',1,1,20.0,268435456,0,'optimal','',0,2.92749991785967722535e-05,0.000381,4.90500133309979e-06,4.61700074083637446165e-06,3.58382000013079959899e-03,3334144,'2026-11-22T09:05:41Z',1);
INSERT INTO "task" VALUES(8,'plan random-dag:n=8 3b13f3feff96fbe6 branch-and-bound seed=1 time=20 memory=268435456 work=0 repetition=1 build=51ad6cb94110dcb66eaa1f3010701e01','plan',2,'branch-and-bound','','51ad6cb94110dcb66eaa1f3010701e01',1,1,20.0,268435456,0,'optimal','',0,1.14673999632941558957e-04,4.3799999999999996705e-04,9.1309993877075612545e-06,5.05800016981083899736e-06,2.17735500154958572238e-03,3964928,'2026-11-22T09:05:41Z',1);
INSERT INTO "task" VALUES(9,'conv c=4,h=5,w=5,k=8,r=3,s=3 mgemm: isa=generic threads=1 seed=1 time=5 rounds=6-6 spread=0.02 final=6 build=d36e8a6e98267969d923a6b04c5dac54','conv',3,'mgemm','','d36e8a6e98267969d923a6b04c5dac54',1,1,5.0,0,0,'measured','',0,2.28783138707115878281e-07,NULL,0.0,0.0,8.29585979990952182561e-02,NULL,'2026-11-22T09:05:44Z',1);
INSERT INTO "task" VALUES(10,'conv c=4,h=5,w=5,k=8,r=3,s=3 mgemm:co=4,wo=2,ci=4,wf=reload,hfil=inside,rows=1,cco=8,order=co-tile,cci=4 isa=generic threads=1 seed=1 time=5 rounds=6-6 spread=0.02 final=6 build=d36e8a6e98267969d923a6b04c5dac54','conv',3,'mgemm','co=4,wo=2,ci=4,wf=reload,hfil=inside,rows=1,cco=8,order=co-tile,cci=4','d36e8a6e98267969d923a6b04c5dac54',1,1,5.0,0,0,'measured','',0,4.78268853074378944619e-07,NULL,0.0,0.0,8.23796629993012174963e-02,NULL,'2026-11-22T09:05:44Z',1);
INSERT INTO "task" VALUES(11,'conv c=4,h=5,w=5,k=8,r=3,s=3 mgemm:rank=2 isa=generic threads=1 seed=1 time=5 rounds=6-6 spread=0.02 final=6 build=d36e8a6e98267969d923a6b04c5dac54-7864938958daca4ad3fb8ce14eea65ce','conv',3,'mgemm','rank=2','d36e8a6e98267969d923a6b04c5dac54',1,1,5.0,0,0,'measured','',0,1.95834922232285274217e-07,NULL,0.0,0.0,8.2393579999916255474e-02,NULL,'2026-11-22T09:05:44Z',1);
INSERT INTO "task" VALUES(12,'conv c=4,h=5,w=5,k=8,r=3,s=3 mgemm:rank=1 isa=generic threads=1 seed=1 time=5 rounds=6-6 spread=0.02 final=6 build=d36e8a6e98267969d923a6b04c5dac54-7864938958daca4ad3fb8ce14eea65ce','conv',3,'mgemm','rank=1','d36e8a6e98267969d923a6b04c5dac54',1,1,5.0,0,0,'measured','',0,1.92136850613979091526e-07,NULL,0.0,0.0,8.01448359998175874352e-02,NULL,'2026-11-22T09:05:44Z',1);
INSERT INTO "task" VALUES(13,'conv c=4,h=5,w=5,k=8,r=3,s=3 mgemm:co=8,wo=3,ci=4,wf=reload,hfil=inside,rows=1,cco=8,order=co-tile,cci=4 isa=generic threads=1 seed=1 time=5 rounds=6-6 spread=0.02 final=6 build=d36e8a6e98267969d923a6b04c5dac54','conv',3,'mgemm','co=8,wo=3,ci=4,wf=reload,hfil=inside,rows=1,cco=8,order=co-tile,cci=4','d36e8a6e98267969d923a6b04c5dac54',1,1,5.0,0,0,'measured','',0,2.17904298191352537462e-07,NULL,0.0,0.0,8.01650159992277622222e-02,NULL,'2026-11-22T09:05:44Z',1);
CREATE TABLE workload (id INTEGER PRIMARY KEY, label TEXT NOT NULL, checksum TEXT NOT NULL, kind TEXT, name TEXT, params TEXT, n INTEGER, pairs INTEGER, load INTEGER, width INTEGER, max_size INTEGER, total INTEGER, w INTEGER, width_bound INTEGER, w1_bound INTEGER, w2_bound INTEGER, applicable INTEGER, w1_applicable INTEGER, reason TEXT, UNIQUE (label, checksum));
INSERT INTO "workload" VALUES(1,'uniform:n=8','9b5c705aaff8be5e','generator','uniform','n=8',8,17,174,5,62,308,NULL,310,NULL,NULL,0,0,'there is no graph');
INSERT INTO "workload" VALUES(2,'random-dag:n=8','3b13f3feff96fbe6','generator','random-dag','n=8',7,13,222,4,100,354,3,400,400,600,1,1,'');
INSERT INTO "workload" VALUES(3,'c=4,h=5,w=5,k=8,r=3,s=3','0000000000000000','layer','c=4,h=5,w=5,k=8,r=3,s=3','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,0,NULL);
CREATE INDEX task_workload ON task (workload);
CREATE INDEX experiment_task_task ON experiment_task (task);
PRAGMA application_id = 1096967534;
PRAGMA user_version = 5;
