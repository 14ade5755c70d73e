/*
 * The server's system calls as a table: what a source that is open makes, and
 * the C library under it. All others fail with EPERM. Files open for reading
 * only; memory that can be run is not made any more.
 */
#include "server/privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

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
#ifdef SYS_open /* the older calls of x86 */
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

/* Allowed while these bits of that argument are 0. */
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

struct program {
	struct sock_filter at[STEPS];
	unsigned short len;
};

#ifdef ARCH
static void
add(struct program *p, unsigned code, uint32_t k, unsigned yes, unsigned no)
{
	if (p->len < STEPS)
		p->at[p->len++] =
			(struct sock_filter){ (uint16_t)code, (uint8_t)yes,
					      (uint8_t)no, k };
}

static void
load(struct program *p, size_t offset)
{
	add(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void
end(struct program *p, uint32_t verdict)
{
	add(p, BPF_RET | BPF_K, verdict, 0, 0);
}

static void
write_program(struct program *p)
{
	uint32_t refused = SECCOMP_RET_ERRNO | EPERM;

	load(p, offsetof(struct seccomp_data, arch));
	add(p, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
	end(p, refused);
	/* x32's numbers, 0x40000000 and up, equal none of ours. */
	load(p, offsetof(struct seccomp_data, nr));
	for (unsigned i = 0; i < ALLOWED; i++) {
		add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i], 0, 1);
		end(p, SECCOMP_RET_ALLOW);
	}
	for (unsigned i = 0; i < ZERO; i++) {
		add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)zero[i].call, 0, 4);
		/* Little-endian: the low half comes first. */
		load(p, offsetof(struct seccomp_data, args) +
				8 * zero[i].argument);
		add(p, BPF_JMP | BPF_JSET | BPF_K, zero[i].bits, 1, 0);
		end(p, SECCOMP_RET_ALLOW);
		end(p, refused);
	}
	end(p, refused);
}

bool
privilege_os_seal(void)
{
	struct program p = { .len = 0 };

	write_program(&p);
	struct sock_fprog f = { p.len, p.at };

	/* A kernel without it is a reason to go on, not to give up. */
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &f, 0, 0) == 0;
}
#else
bool
privilege_os_seal(void)
{
	return false; /* nobody has written this machine's numbers down */
}
#endif
