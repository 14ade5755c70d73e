#include "model/process.h"

#include <string.h>

#include <cmocka.h>

UNIT(every_word_is_read_back)
{
	char words[128];

	for (uint8_t access = 0; access < PROCESS_ACCESS_COUNT; access++)
		for (uint32_t flags = 0; flags < PROCESS_KEPT << 1; flags++) {
			const struct process_row r = { .flags = flags,
						       .access = access };
			uint32_t read = 0;
			uint8_t why = PROCESS_COUNTED;

			process_words(&r, words, sizeof words);
			for (const char *w = words; *w != '\0';) {
				size_t n = strcspn(w, ";");

				assert_true(
					process_word_parse(w, n, &read, &why));
				w += n + (w[n] == ';');
			}
			assert_int_equal(read, flags);
			assert_int_equal(why, access);
		}
}

UNIT(words_for_people)
{
	const struct process_row r = { .flags = PROCESS_PARTIAL | PROCESS_GAP,
				       .access = PROCESS_NO_COUNTERS };
	const struct process_row fine = { .access = PROCESS_COUNTED };
	uint32_t flags = 0;
	uint8_t access = 0, how = 0;
	char words[64];

	assert_string_equal(process_words(&r, words, sizeof words),
			    "no counters;partial;gap");
	assert_string_equal(process_words(&fine, words, sizeof words), "");
	assert_true(process_word_parse("held", 4, &flags,
				       &access)); /* before 1.0 */
	assert_int_equal(access, PROCESS_IN_USE);
	assert_true(process_word_parse("skew", 4, &flags, &access));
	assert_int_equal(flags, PROCESS_SKEW);
	assert_false(process_word_parse("part", 4, &flags, &access));
	assert_false(process_word_parse("", 0, &flags, &access));
	assert_true(process_state_parse("sleeps", 6, &how));
	assert_int_equal(how, PROCESS_SLEEPS);
	assert_string_equal(process_state_name(PROCESS_ENDED), "ended");
	assert_string_equal(process_state_name(PROCESS_STATE_COUNT), "");
	assert_false(process_state_parse("dreams", 6, &how));
	assert_false(process_state_parse("", 0, &how));
}
