/* A verdict in one word, for the past: what the screen shows of it. */
#ifndef MODEL_VERDICT_BITS_H
#define MODEL_VERDICT_BITS_H

#include "model/verdict.h"

/*
 * Word, alarm, name, basis, share (in thousandths), age (in seconds, at most
 * 63), and the evidence. Where nothing is known: the preset that would tell,
 * and the IPC before with its age. NULL gives the bits of no verdict.
 */
uint32_t verdict_bits(const struct verdict *v);

/* Its word alone; VERDICT_COUNT where there was no verdict. */
uint8_t verdict_bits_word(uint32_t bits);

/*
 * The verdict again, without evidence_value, impact and shared, which are NAN.
 * False, with one that is unknown, where the bits are of none.
 */
bool verdict_of_bits(uint32_t bits, struct verdict *out);

#endif
