#include "source/kperf/state.h"

#include <pthread.h>
#include <pthread/qos.h>

/* macOS has no CPU affinity; the scheduler chooses the core by QoS class. */
const char *
kperf_request_core(bool fast)
{
	if (fast) {
		(void)pthread_set_qos_class_self_np(QOS_CLASS_USER_INTERACTIVE,
						    0);
		return "USER_INTERACTIVE";
	}
	(void)pthread_set_qos_class_self_np(QOS_CLASS_BACKGROUND, 0);
	return "BACKGROUND";
}
