/* Process functions of struct host_api, by calls of libSystem. */
#ifndef SOURCE_KPERF_MAC_PROCESSES_H
#define SOURCE_KPERF_MAC_PROCESSES_H

#include "kperf/host.h"

int mac_proc_list(int32_t *pid, int max);
int mac_proc_usage(int32_t pid, struct host_usage *out);
int mac_proc_short(int32_t pid, struct host_proc *out);
int mac_proc_path(int32_t pid, char *out, int size);
int mac_proc_args(int32_t pid, char *out, int size);
int mac_thread_list(int32_t pid, uint64_t *id, int max);
int mac_thread_counts(int32_t pid, uint64_t id, struct host_thread *out);
void mac_timebase(uint32_t *numer, uint32_t *denom);
bool mac_user_name(uint32_t uid, char *out, int size);

#endif
