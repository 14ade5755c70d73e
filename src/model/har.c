#include "model/har.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Each cosine is the one before turned on, which is quicker than cos(). */
static double
wave(const double *z, unsigned n, int j)
{
	double turn_x = cos(pi * j / n), turn_y = sin(pi * j / n);
	double x = cos(pi * j / 2 / n), y = sin(pi * j / 2 / n), sum = 0;

	for (unsigned i = 0; i < n; i++) {
		double next = x * turn_x - y * turn_y;

		sum += z[i] * x;
		y = x * turn_y + y * turn_x;
		x = next;
	}
	return sqrt(2.0 / n) * sum;
}

static double
long_run_variance(const double *z, unsigned n)
{
	double all = 0;

	for (int j = 1; j <= HAR_COSINES; j++) {
		double l = wave(z, n, j);

		all += l * l;
	}
	return all / (double)HAR_COSINES;
}

void
har_estimate(const struct har_series *s, struct estimate *out)
{
	double mean = 0;

	*out = (struct estimate){ s->ratio, NAN, HAR_COSINES };
	for (unsigned i = 0; i < s->n; i++)
		mean += s->den[i] / s->n;
	for (unsigned i = 0; i < s->n; i++)
		s->z[i] = (s->num[i] - s->ratio * s->den[i]) / mean;
	if (s->n > 2 * HAR_COSINES)
		out->variance = long_run_variance(s->z, s->n) / s->n;
}

/* What neighbours at this distance add to the variance of the mean. */
static double
covariance(const struct har_series *s, unsigned lag)
{
	double sum = 0, n = s->n;

	for (unsigned i = 0; i + lag < s->n; i++)
		sum += s->z[i] * s->z[i + lag];
	return sum / n / n;
}

static double
covariances(const struct har_series *a, const struct har_series *b,
	    unsigned lag)
{
	return covariance(a, lag) + covariance(b, lag);
}

/*
 * The autocorrelation time of the z of both, 1 and more: 1 and twice the sum of
 * the correlations, each series by its part in the variance of the difference.
 * Both together, since the time of a single short series varies more, and it
 * is those with too small a variance whose time comes out too short. Geyer's
 * initial positive sequence (1992): correlations are summed in pairs of
 * distances, as long as a pair is above 0.
 */
static double
har_time(const struct har_series *a, const struct har_series *b)
{
	unsigned n = a->n < b->n ? a->n : b->n;
	double all = covariances(a, b, 0), sum = -1;

	if (!(all > 0))
		return 1;
	for (unsigned lag = 0; lag + 1 < n / 2; lag += 2) {
		double pair = covariances(a, b, lag);

		pair += covariances(a, b, lag + 1);
		if (pair <= 0)
			break;
		sum += 2 * pair / all;
	}
	return fmin(fmax(sum, 1), n);
}

void
har_difference(const struct har_series *a, const struct har_series *b,
	       double confidence, struct har *out)
{
	unsigned n = a->n < b->n ? a->n : b->n;
	struct estimate ea, eb;

	*out = (struct har){ .time = NAN, .needs = HAR_FRAMES_MIN };
	har_estimate(a, &ea);
	har_estimate(b, &eb);
	if (n > 2 * HAR_COSINES) {
		out->time = har_time(a, b);
		out->needs = fmax(ceil((double)HAR_TIMES_MIN * out->time),
				  HAR_FRAMES_MIN);
	}
	out->enough = n >= out->needs;
	student_difference(&ea, &eb, confidence, &out->of);
}
