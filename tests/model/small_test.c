/* The plain tables and arrays of the model: events, qualities, topology. */
#include "base/err.h"
#include "model/event.h"
#include "model/quality.h"
#include "model/sample.h"
#include "model/topology.h"

#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const struct event some[] = {
	{ .name = "A", .alias = "Alpha" },
	{ .name = "AB" },
	{ .name = "B" },
	{ .name = "C_D" },
};
static const struct catalog catalog = { "some", some, 4, 0x3fc };

UNIT(test_catalog)
{
	for (unsigned i = 0; i < 4; i++)
		assert_ptr_equal(catalog_find(&catalog, some[i].name),
				 &some[i]);
	assert_ptr_equal(catalog_find(&catalog, "Alpha"), &some[0]);
	assert_null(catalog_find(&catalog, "Alp"));
	assert_null(catalog_find(&catalog, "ABC"));
	assert_null(catalog_find(&catalog, ""));
	assert_ptr_equal(catalog_find_any(&catalog, "X|C_D|A"), &some[3]);
	assert_ptr_equal(catalog_find_any(&catalog, "B"), &some[2]);
	assert_null(catalog_find_any(&catalog, "X|Y"));
	assert_ptr_equal(catalog_find_n(&catalog, "ABC", 2), &some[1]);
}

UNIT(test_qualities)
{
	char text[128];
	int unknown;

	assert_string_equal(quality_words(0, text, sizeof text), "");
	assert_string_equal(
		quality_words(QUALITY_SWAP | QUALITY_IDLE, text, sizeof text),
		"idle;event-change");
	assert_string_equal(quality_words(UINT32_MAX, text, 7), "idle;o");
	for (unsigned i = 0; i < QUALITY_BITS; i++) {
		assert_int_equal(quality_parse(quality_table[i].word, &unknown),
				 1u << i);
		assert_false(unknown);
		for (unsigned j = 0; j < i; j++)
			assert_int_not_equal(quality_table[i].letter,
					     quality_table[j].letter);
	}
	uint32_t all = (1u << QUALITY_BITS) - 1;

	assert_int_equal(
		quality_parse(quality_words(all, text, sizeof text), &unknown),
		all);
	assert_int_equal(quality_parse("stolen;swap", &unknown),
			 QUALITY_TAKEN_OVER | QUALITY_SWAP); /* before 1.0 */
	assert_false(unknown);
	assert_int_equal(quality_parse("gap;new", &unknown), QUALITY_GAP);
	assert_true(unknown);
	assert_int_equal(quality_parse("", &unknown), 0);
	assert_false(unknown);
}

UNIT(test_m2_max)
{
	struct topology *t = topology_new(2, 3, 12, NULL);

	strcpy(t->kind[0].letter, "P");
	strcpy(t->kind[1].letter, "E");
	for (unsigned i = 0; i < 12; i++)
		t->cpu[i] = (struct topology_cpu){
			.id = (int)i, .core = i, .kind = i < 4, .cluster = i / 4
		};
	topology_finish(t);
	assert_string_equal(t->cluster[0].label, "E");
	assert_string_equal(t->cluster[1].label, "P0");
	assert_string_equal(t->cluster[2].label, "P1");
	assert_int_equal(t->kind[0].ncpus, 8);
	assert_int_equal(t->cluster[2].ncores, 4);
	assert_int_equal(t->cluster[1].kind, 0);
	assert_int_equal(t->ncores, 12);
	assert_false(t->smt);
	assert_int_equal(topology_cluster_find(t, "P1"), 2);
	assert_int_equal(topology_cluster_find(t, "Q"), -1);
	assert_int_equal(topology_cpu_find(t, 11), 11);
	assert_int_equal(topology_cpu_find(t, 12), -1);
	topology_free(t);
}

UNIT(test_one_kind_with_threads)
{
	struct topology *t = topology_new(1, 1, 4, NULL);

	for (unsigned i = 0; i < 4; i++)
		t->cpu[i] = (struct topology_cpu){ .id = (int)i * 2,
						   .core = i % 2 };
	topology_finish(t);
	assert_string_equal(t->cluster[0].label, "CPU");
	assert_true(t->smt);
	assert_int_equal(t->ncores, 2);
	assert_int_equal(t->cluster[0].ncpus, 4);
	assert_int_equal(topology_cpu_find(t, 6), 3);
	topology_free(t);
	topology_free(NULL);
}

/* A label that the source gave stays. */
UNIT(test_given_labels)
{
	struct topology *t = topology_new(1, 2, 2, NULL);

	strcpy(t->cluster[1].label, "CCX1");
	t->cpu[1].cluster = t->cpu[1].core = 1;
	topology_finish(t);
	assert_string_equal(t->cluster[0].label, "CPU0");
	assert_string_equal(t->cluster[1].label, "CCX1");
	topology_free(t);
}

UNIT(test_sample)
{
	struct sample *s = sample_new(3, NULL);

	assert_int_equal(s->ncpus, 3);
	assert_int_equal(s->cpu[2].state, CPU_DELIVERED);
	assert_false(s->cpu[2].fixed[0].supported);
	sample_free(s);
	sample_free(NULL);
}
