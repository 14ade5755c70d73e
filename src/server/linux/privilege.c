#include "server/privilege.h"

#include "process/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	PERFMON = 38,       /* since Linux 5.8; missing in older headers */
	PARANOID_DEBIAN = 3 /* needs CAP_SYS_ADMIN */
};

static bool
set_capabilities(uint64_t keep, bool in_effect)
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct has[2] = { { 0 } }, want[2] = { { 0 } };

	if (syscall(SYS_capget, &h, has) != 0)
		return false;
	for (int i = 0; i < 2; i++) {
		uint32_t bits = (uint32_t)(keep >> 32 * i) & has[i].permitted;

		want[i].permitted = bits;
		want[i].effective = in_effect ? bits : 0;
	}
	return syscall(SYS_capset, &h, want) == 0;
}

static int
read_paranoid_level(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	char text[16] = "";
	int level = 2;

	if (f == NULL)
		return level;
	if (fgets(text, sizeof text, f) != NULL && text[0] >= '0' &&
	    text[0] <= '9')
		level = text[0] - '0';
	fclose(f);
	return level;
}

static bool
explain_failed_call(struct err *e, const char *call)
{
	return err_set(e, ERR_PERM, "cannot give up root privileges (%s): %s",
		       call, strerror(errno));
}

/* The kept capabilities also prevent the caller from tracing this process. */
bool
privilege_keep_counting_only(const struct privilege_caller *who, bool in_effect,
			     struct err *e)
{
	int cap = read_paranoid_level() >= PARANOID_DEBIAN ? CAP_SYS_ADMIN
							   : PERFMON;
	uint64_t keep = (uint64_t)1 << cap;
	struct rlimit none = { 0, 0 };

	(void)setrlimit(RLIMIT_CORE, &none);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return explain_failed_call(e, "no_new_privs");
	rights_drop_bounding(cap);
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0)
		return explain_failed_call(e, "keepcaps");
	if (setgroups(1, &who->gid) != 0 || setgid(who->gid) != 0 ||
	    setuid(who->uid) != 0)
		return explain_failed_call(e, "setuid");
	(void)prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0);
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	/* rights_drop_all needs CAP_SETPCAP to empty the bounding set.
	 */
	if (!in_effect)
		keep |= (uint64_t)1 << CAP_SETPCAP;
	return set_capabilities(keep, in_effect) ||
	       explain_failed_call(e, "capset");
}

/* Allows the system calls of an open source and of the C library; others fail
 * with EPERM. Files open read-only; no memory becomes executable. */

/* clang-format off */
#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#endif

static const int allowed[] = {
	SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_lseek,
	SYS_close, SYS_fstat, SYS_fcntl, SYS_ioctl, SYS_dup, SYS_getdents64,
	SYS_recvfrom, SYS_sendto, SYS_shutdown, SYS_setitimer, SYS_pselect6, SYS_ppoll, SYS_readlinkat,
	SYS_faccessat, SYS_perf_event_open,
	SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise, SYS_futex,
	SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep,
	SYS_gettimeofday, SYS_getrandom, SYS_getrusage, SYS_uname, SYS_sysinfo,
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
	SYS_rt_sigsuspend, SYS_rt_sigpending, SYS_sigaltstack,
	SYS_kill, SYS_tgkill, SYS_wait4, SYS_waitid, SYS_restart_syscall,
	SYS_getpid, SYS_getppid, SYS_gettid, SYS_getuid, SYS_geteuid,
	SYS_getgid, SYS_getegid, SYS_getpgid, SYS_prlimit64,
	SYS_sched_getaffinity, SYS_sched_setaffinity, SYS_sched_yield,
	SYS_getcpu, SYS_capget, SYS_capset, SYS_exit, SYS_exit_group,
#ifdef SYS_open
	SYS_poll, SYS_select, SYS_stat, SYS_lstat, SYS_access, SYS_readlink,
	SYS_getpgrp, SYS_getrlimit, SYS_setrlimit, SYS_time, SYS_alarm,
#endif
#ifdef SYS_newfstatat
	SYS_newfstatat,
#endif
#ifdef SYS_statx
	SYS_statx,
#endif
#ifdef SYS_faccessat2
	SYS_faccessat2,
#endif
#ifdef SYS_rseq
	SYS_rseq,
#endif
};

/* A call is allowed if `bits` of its argument are 0. */
static const struct { int call; unsigned argument; uint32_t bits; } zero[] = {
	{ SYS_openat, 2, O_ACCMODE | O_CREAT | O_TRUNC },
#ifdef SYS_open
	{ SYS_open, 1, O_ACCMODE | O_CREAT | O_TRUNC },
#endif
	{ SYS_mmap, 2, PROT_EXEC },
	{ SYS_mprotect, 2, PROT_EXEC },
};
/* clang-format on */

enum {
	ALLOWED = sizeof allowed / sizeof *allowed,
	ZERO = sizeof zero / sizeof *zero,
	STEPS = 8 + 2 * ALLOWED + 5 * ZERO
};

struct seccomp_program {
	struct sock_filter at[STEPS];
	unsigned short len;
};

#ifdef ARCH
static void
filter_add(struct seccomp_program *p, unsigned code, uint32_t k, unsigned yes,
	   unsigned no)
{
	if (p->len < STEPS)
		p->at[p->len++] =
			(struct sock_filter){ (uint16_t)code, (uint8_t)yes,
					      (uint8_t)no, k };
}

static void
filter_load(struct seccomp_program *p, size_t offset)
{
	filter_add(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void
filter_return(struct seccomp_program *p, uint32_t action)
{
	filter_add(p, BPF_RET | BPF_K, action, 0, 0);
}

static void
filter_write(struct seccomp_program *p)
{
	uint32_t refused = SECCOMP_RET_ERRNO | EPERM;

	filter_load(p, offsetof(struct seccomp_data, arch));
	filter_add(p, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
	filter_return(p, refused);
	/* System calls of the x32 ABI (from 0x40000000 on) match no rule. */
	filter_load(p, offsetof(struct seccomp_data, nr));
	for (unsigned i = 0; i < ALLOWED; i++) {
		filter_add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i],
			   0, 1);
		filter_return(p, SECCOMP_RET_ALLOW);
	}
	for (unsigned i = 0; i < ZERO; i++) {
		filter_add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)zero[i].call,
			   0, 4);
		/* Little-endian: low half first. */
		filter_load(p, offsetof(struct seccomp_data, args) +
				       8 * zero[i].argument);
		filter_add(p, BPF_JMP | BPF_JSET | BPF_K, zero[i].bits, 1, 0);
		filter_return(p, SECCOMP_RET_ALLOW);
		filter_return(p, refused);
	}
	filter_return(p, refused);
}

bool
privilege_filter_calls(void)
{
	struct seccomp_program p = { .len = 0 };

	filter_write(&p);
	struct sock_fprog f = { p.len, p.at };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &f, 0, 0) == 0;
}
#else
bool
privilege_filter_calls(void)
{
	return false;
}
#endif
