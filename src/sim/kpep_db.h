/* Inside of the simulated kperfdata.framework; for kpep*.c alone. */
#ifndef SIM_KPEP_DB_H
#define SIM_KPEP_DB_H

#include "pmu/pmu.h"
#include "sim/kpep.h"

#include <stddef.h>

enum { SIM_KPEP_CPU_SIZE = 64 };

/*
 * What a database knows beyond the public struct. It lies in front of it, so
 * that reading past the end of an older, shorter struct kpep_db is caught.
 */
struct sim_kpep_db {
	const struct pmu *pmu;
	enum sim_kpep_layout layout;
	size_t stride;                   /* of the event array, bytes */
	bool listed;                     /* only events of the allow-list */
	const struct pmu_event **source; /* the row behind each event */
	char cpu[SIM_KPEP_CPU_SIZE];
};

/* NULL when memory is out. `cpu` is copied. listed: the allow-list's alone. */
struct kpep_db *sim_kpep_db_new(const struct pmu *p, const char *cpu,
				enum sim_kpep_layout layout, bool listed);
void sim_kpep_db_free(struct kpep_db *db);
struct sim_kpep_db *sim_kpep_db_of(struct kpep_db *db);

/* The i-th event, i < event_count. */
struct kpep_event *sim_kpep_db_at(struct kpep_db *db, size_t i);

/* Its row, or NULL for a pointer that is not an event of db. */
const struct pmu_event *sim_kpep_db_row(struct kpep_db *db,
					const struct kpep_event *event);

/* The functions of the API with these names less "sim_". */
int sim_kpep_db_name(struct kpep_db *db, const char **name);
int sim_kpep_db_aliases_count(struct kpep_db *db, size_t *count);
int sim_kpep_db_aliases(struct kpep_db *db, const char **buf, size_t size);
int sim_kpep_db_counters_count(struct kpep_db *db, uint8_t classes,
			       size_t *count);
int sim_kpep_db_events_count(struct kpep_db *db, size_t *count);
int sim_kpep_db_events(struct kpep_db *db, struct kpep_event **buf,
		       size_t size);
int sim_kpep_db_event(struct kpep_db *db, const char *name,
		      struct kpep_event **event);
int sim_kpep_event_name(struct kpep_event *event, const char **text);
int sim_kpep_event_alias(struct kpep_event *event, const char **text);
int sim_kpep_event_description(struct kpep_event *event, const char **text);

int sim_kpep_config_create(struct kpep_db *db, struct kpep_config **config);
void sim_kpep_config_free(struct kpep_config *config);
int sim_kpep_config_force_counters(struct kpep_config *config);
int sim_kpep_config_add_event(struct kpep_config *config,
			      struct kpep_event **event, uint32_t flag,
			      uint32_t *err);
int sim_kpep_config_remove_event(struct kpep_config *config, size_t index);
int sim_kpep_config_events_count(struct kpep_config *config, size_t *count);
int sim_kpep_config_events(struct kpep_config *config, struct kpep_event **buf,
			   size_t size);
int sim_kpep_config_kpc_classes(struct kpep_config *config, uint32_t *classes);
int sim_kpep_config_kpc_count(struct kpep_config *config, size_t *count);
int sim_kpep_config_kpc(struct kpep_config *config, uint64_t *buf, size_t size);
int sim_kpep_config_kpc_map(struct kpep_config *config, size_t *buf,
			    size_t size);

#endif
