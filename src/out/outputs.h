/* The table of outputs. */
#ifndef OUT_OUTPUTS_H
#define OUT_OUTPUTS_H

/* ROW(CONSTANT, name, help): option --name FILE opens sink_name. --help lists
 * the options in this order. */
/* clang-format off */
#define OUTPUT_TABLE(ROW) \
	ROW(OUTPUT_CSV, csv, \
	    "Record every sample (stat: every value) to FILE; - is standard output, without screen") \
	ROW(OUTPUT_JSON, json, \
	    "Record the same rows as JSON lines to FILE; - is standard output") \
	ROW(OUTPUT_OPENMETRICS, openmetrics, \
	    "Replace FILE after each sample with a page for Prometheus (the textfile collector)")
/* clang-format on */

#define OUTPUT_CONSTANT(constant, name, help) constant,
enum output {
	OUTPUT_TABLE(OUTPUT_CONSTANT) OUTPUTS, /* outputs with an option */
	OUTPUT_TEXT = OUTPUTS,                 /* option -b */
	OUTPUTS_ALL
};
#undef OUTPUT_CONSTANT

#endif
