/*
 * Runs a command with the rights that Docker gives a container by default: its
 * fourteen capabilities, and a filter that refuses the system calls for which
 * its profile wants another one.
 *
 *	docker COMMAND [ARG...]
 *
 * Needs root.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CAP(name) (1ULL << CAP_##name)
static const unsigned long long kept =
	CAP(CHOWN) | CAP(DAC_OVERRIDE) | CAP(FOWNER) | CAP(FSETID) | CAP(KILL) |
	CAP(SETGID) | CAP(SETUID) | CAP(SETPCAP) | CAP(NET_BIND_SERVICE) |
	CAP(NET_RAW) | CAP(SYS_CHROOT) | CAP(MKNOD) | CAP(AUDIT_WRITE) |
	CAP(SETFCAP);

#define NAMESPACES                                                     \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | \
	 CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
#define LOAD(field) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
/* The next instruction is for this call alone. */
#define IF(nr) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1)
#define NOT(name) IF(SYS_##name), REFUSE

static struct sock_filter filter[] = {
	LOAD(nr),
	NOT(perf_event_open),
	NOT(bpf),
	NOT(mount),
	NOT(umount2),
	NOT(pivot_root),
	NOT(setns),
	NOT(unshare),
	NOT(sethostname),
	NOT(setdomainname),
	NOT(quotactl),
	NOT(fanotify_init),
	NOT(open_by_handle_at),
	NOT(syslog),
	NOT(kcmp),
	NOT(acct),
	NOT(reboot),
	NOT(swapon),
	NOT(swapoff),
	NOT(init_module),
	NOT(finit_module),
	NOT(delete_module),
	NOT(kexec_load),
	NOT(settimeofday),
	NOT(clock_settime),
	NOT(clock_adjtime),
	NOT(vhangup),
	NOT(add_key),
	NOT(keyctl),
	NOT(request_key),
	NOT(mbind),
	NOT(set_mempolicy),
	NOT(get_mempolicy),
	NOT(move_pages),
	NOT(userfaultfd),
	/* glibc turns to clone, whose flags can be seen. */
	IF(SYS_clone3),
	RETURN(SECCOMP_RET_ERRNO | ENOSYS),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
	LOAD(args[0]),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1),
	REFUSE,
	RETURN(SECCOMP_RET_ALLOW),
};

int
main(int argc, char **argv)
{
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter),
				      filter };
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
						 0 };
	struct __user_cap_data_struct data[2];

	if (argc < 2) {
		fputs("usage: docker COMMAND [ARG...]\n", stderr);
		return 2;
	}
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
		perror("docker: the filter");
		return 125;
	}
	memset(data, 0, sizeof(data));
	for (unsigned c = 0; prctl(PR_CAPBSET_READ, c, 0, 0, 0) >= 0; c++) {
		if ((kept >> c & 1) != 0)
			data[c / 32].permitted |= 1U << c % 32;
		else if (prctl(PR_CAPBSET_DROP, c, 0, 0, 0) != 0) {
			perror("docker: the bounding set");
			return 125;
		}
	}
	for (unsigned i = 0; i < 2; i++)
		data[i].effective = data[i].permitted;
	if (syscall(SYS_capset, &head, data) != 0) {
		perror("docker: the capabilities");
		return 125;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
