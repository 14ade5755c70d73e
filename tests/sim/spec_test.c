/* MACHINE[,key=value]... */
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "sim/spec.h"

UNIT(defaults)
{
	struct sim_spec s;
	struct err e;

	assert_true(sim_spec_parse(&s, "m1", &e));
	assert_string_equal(s.machine->name, "m1");
	assert_int_equal(s.seed, 1);
	assert_int_equal(s.os, 2600);
	assert_int_equal(s.pm, 0xe0);
	assert_int_equal(s.euid, 0);
	assert_false(s.step || s.lib_errno || s.rows_copied || s.layout_48 ||
		     s.no_pm);
	assert_int_equal(s.nfaults, 0);
	assert_true(s.procs == 0 && !s.rest);
	for (unsigned cpu = 0; cpu < SIM_MAX_CPUS; cpu++)
		assert_int_equal(s.program[cpu], SIM_PROGRAM_DRAWN);
	assert_string_equal(s.state, "");
}

UNIT(every_key)
{
	struct sim_spec s;
	struct err e;

	assert_true(sim_spec_parse(
		&s,
		"m4,seed=0x10,clock=step,os=15.4,pm=0x60,euid=501,lib=errno,"
		"rows=copied,layout=48,physics=wide,state=/tmp/a=b,fault=steal@3s-6s,"
		"fault=off:P@1.5s,fault=refuse:INST_ALL@0s,fault=slow@1m-120,"
		"fault=slow:20ms@1s,fault=refuse:0x8c@250ms-1s",
		&e));
	assert_int_equal(s.seed, 16);
	assert_true(s.step && s.lib_errno && s.rows_copied && s.layout_48);
	assert_true(s.wide);
	assert_int_equal(s.os, 1504);
	assert_int_equal(s.pm, 0x60);
	assert_int_equal(s.euid, 501);
	assert_string_equal(s.state, "/tmp/a=b");
	assert_int_equal(s.nfaults, 6);
	assert_int_equal(s.fault[0].kind, SIM_FAULT_STEAL);
	assert_int_equal(s.fault[0].from_ns, 3000000000);
	assert_int_equal(s.fault[0].to_ns, 6000000000);
	assert_int_equal(s.fault[1].cpus, 0x3c0);
	assert_int_equal(s.fault[1].from_ns, 1500000000);
	assert_true(s.fault[1].to_ns == SIM_NEVER);
	assert_int_equal(s.fault[2].arg, 0x08); /* the M4's number */
	assert_int_equal(s.fault[3].arg, 50000000);
	assert_int_equal(s.fault[3].to_ns, 120000000000);
	assert_int_equal(s.fault[4].arg, 20000000);
	assert_int_equal(s.fault[5].arg, 0x8c);
	assert_true(sim_spec_parse(&s, "m1,pm=0", &e));
	assert_true(s.no_pm);
}

/* All CPUs, a letter, a cluster, one: the last that is said of it holds. */
UNIT(programs)
{
	static const enum sim_program want[] = {
		SIM_PROGRAM_IDLE,     SIM_PROGRAM_IDLE,   SIM_PROGRAM_IDLE,
		SIM_PROGRAM_IDLE,     SIM_PROGRAM_MEMORY, SIM_PROGRAM_MEMORY,
		SIM_PROGRAM_MEMORY,   SIM_PROGRAM_DRAWN,  SIM_PROGRAM_FRONTEND,
		SIM_PROGRAM_FRONTEND, SIM_PROGRAM_MIXED,  SIM_PROGRAM_FRONTEND,
	};
	struct sim_spec s;
	struct err e;
	char text[64];

	assert_true(sim_spec_parse(
		&s,
		"m2max,work=idle,work=P:memory,work=P1:frontend,work=cpu7:drawn,"
		"seed=3,work=cpu10:mixed",
		&e));
	assert_int_equal(s.seed, 3);
	for (unsigned cpu = 0; cpu < sizeof(want) / sizeof(*want); cpu++)
		assert_int_equal(s.program[cpu], want[cpu]);
	for (unsigned i = 0; i < SIM_PROGRAMS; i++) {
		snprintf(text, sizeof(text), "m1,work=%s", sim_program_name(i));
		assert_true(sim_spec_parse(&s, text, &e));
		assert_int_equal(s.program[7], i);
	}
	assert_null(sim_program_name(SIM_PROGRAMS));
}

/* How many processes there are, and what befalls them. */
UNIT(processes)
{
	struct sim_spec s;
	struct err e;

	assert_true(sim_spec_parse(
		&s,
		"m1,procs=2000,rest=1,fault=lag@1s,fault=lag:40ms@1s,"
		"fault=denied:300@1s,fault=storm:50@1s,fault=reuse@1s,"
		"fault=nozombie@1s,fault=vanish@1s,fault=oldos@1s",
		&e));
	assert_int_equal(s.procs, 2000);
	assert_true(s.rest);
	assert_int_equal(s.nfaults, 8);
	assert_int_equal(s.fault[0].arg, 10000000);
	assert_int_equal(s.fault[1].arg, 40000000);
	assert_int_equal(s.fault[2].arg, 300);
	assert_int_equal(s.fault[3].arg, 50);
	assert_int_equal(s.fault[7].kind, SIM_FAULT_OLDOS);
}

static const struct {
	const char *text, *says;
} bad[] = {
	{ "", "m1, m1max, m2max" },
	{ "m9", "the machines are m1, m1max, m2max, m3" },
	{ "m1,", "key=value" },
	{ "m1,seed", "key=value" },
	{ "m1,colour=red", "the keys are seed, clock" },
	{ "m1,tape=f", "send the report of ktop doctor instead" },
	{ "m1,seed=", "seed=: give a number" },
	{ "m1,seed=-1", "seed=-1" },
	{ "m1,clock=fast", "clock=fast: give real or step" },
	{ "m1,lib=x", "minus1 or errno" },
	{ "m1,rows=x", "untouched or copied" },
	{ "m1,layout=64", "56 or 48" },
	{ "m1,os=10.15", "os=10.15" },
	{ "m1,os=15.", "os=15." },
	{ "m1,os=26x", "os=26x" },
	{ "m1,pm=3", "pm=3" },
	{ "m1,pm=0xfff", "0xe0" },
	{ "m1,euid=root", "euid=root" },
	{ "m1,state=", "give a file name" },
	{ "m1,work=lazy", "work=lazy: give PROGRAM or WHERE:PROGRAM" },
	{ "m1,work=", "the programs are drawn, compute, memory" },
	{ "m1,work=memory:P", "work=memory:P: m1 has no such CPUs" },
	{ "m1,work=P1:memory", "work=P1:memory: m1 has no such CPUs" },
	{ "m1,work=cpu8:idle", "cpu0 to cpu7" },
	{ "m1,work=:idle", "no such CPUs" },
	{ "m1,work=P:", "the programs are" },
	{ "m1,work=P:idle:memory", "work=P:idle:memory: give" },
	{ "m1,fault=fire@1s", "the kinds are steal, busy" },
	{ "m1,fault=steal", "has no time: give KIND" },
	{ "m1,fault=steal@", "FROM or FROM-TO" },
	{ "m1,fault=steal@3x", "FROM or FROM-TO" },
	{ "m1,fault=steal@3s-3s", "FROM or FROM-TO" },
	{ "m1,fault=steal@5s-3s", "FROM or FROM-TO" },
	{ "m1,fault=steal@3s-", "FROM or FROM-TO" },
	{ "m1,fault=steal@99999999999s", "FROM or FROM-TO" },
	{ "m1,fault=steal:x@3s", "takes no ':x'" },
	{ "m1,fault=off@3s", "no such CPUs" },
	{ "m1,fault=off:P1@3s", "m1 has no such CPUs" },
	{ "m1,fault=off:cpu8@3s", "cpu0 to cpu7" },
	{ "m1,fault=refuse:NOSUCH@3s", "m1's database" },
	{ "m1,fault=refuse:FIXED_CYCLES@3s", "m1's database" },
	{ "m1,fault=dead:NOSUCH@3s", "fault=dead:NOSUCH: give" },
	{ "vm,fault=refuse:INST_ALL@3s", "vm's database" },
	{ "m1,fault=slow:2m@3s", "slow:2m: give a time up to 60s" },
	{ "m1,fault=lag:2m@3s", "lag:2m: give a time up to 60s" },
	{ "m1,fault=lag:0s@3s", "lag:0s: give a time up to 60s" },
	{ "m1,fault=fire@1s", "storm:N, oldos, ktrace:PID" },
	{ "m1,fault=denied@3s", "denied:: give a process id" },
	{ "m1,fault=denied:-1@3s", "denied:-1: give a process id" },
	{ "m1,fault=storm@3s",
	  "storm:: give the number of processes that begin" },
	{ "m1,fault=ktrace:0@3s", "ktrace:0: give the number" },
	{ "m1,fault=drop:x@3s", "drop:x: give N, 1 or more" },
	{ "m1,fault=evict:3@3s", "takes no ':3'" },
	{ "m1,fault=storm:0@3s",
	  "storm:0: give the number of processes that begin" },
	{ "m1,fault=storm:201@3s", "a second, 1 to 200" },
	{ "m1,fault=reuse:1@3s", "takes no ':1'" },
	{ "m1,procs=0", "procs=0: give the number of processes" },
	{ "m1,procs=20001", "1 to 20000" },
	{ "m1,rest=2", "rest=2: give 0 or 1" },
	{ "m1,physics=real", "physics=real: give drawn or wide" },
	{ "m1,fault=sleep@3s", "a sleep needs an end" },
	{ "m6,subtype=3",
	  "subtype=3: give 2 or 12, the subtypes of Apple silicon" },
	{ "intel,subtype=2", "subtype=2: give" },
	{ "m1,fault=sleep:1@3s-4s", "takes no ':1'" },
};

UNIT(bad_text)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct sim_spec s;
		struct err e;
		assert_false(sim_spec_parse(&s, bad[i].text, &e));
		assert_int_equal(e.code, ERR_USAGE);
		if (strstr(e.text, bad[i].says) == NULL)
			fail_msg("'%s' said: %s", bad[i].text, e.text);
	}
}

UNIT(too_much)
{
	struct sim_spec s;
	struct err e;
	char text[2048] = "m1";

	for (int i = 0; i <= SIM_FAULTS_MAX; i++)
		strncat(text, ",fault=busy@1s",
			sizeof(text) - strlen(text) - 1);
	assert_false(sim_spec_parse(&s, text, &e));
	assert_non_null(strstr(e.text, "at most 16"));
	memset(text, 'm', 1000);
	text[1000] = '\0';
	assert_false(sim_spec_parse(&s, text, &e));
	assert_non_null(strstr(e.text, "too long"));
}
