#include "commands/doctor/doctor.h"

const char *
doctor_core(bool fast)
{
	return fast ? "any core" : "any core, again";
}
