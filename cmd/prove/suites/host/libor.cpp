// The device functions of ISPASS's LIB on the host: functions.h is the beginning of its source.

#include <math.h>

#define __constant__
#define __device__
#define __fdividef(x, y) ((float)(x) / (float)(y))
#define __expf(x) expf(x)

#include "functions.h"

static void start(float *L, float *z)
{
	for (int i = 0; i < NN; i++) {
		z[i] = 0.3;
		L[i] = 0.05;
	}
}

int main()
{
	static const int ends[NOPT] = {4, 4, 4, 8, 8, 8, 20, 20, 20, 28, 28, 28, 40, 40, 40};
	static float L[NN], z[NN], L2[L2_SIZE];

	N = NN;
	Nmat = NMAT;
	Nopt = NOPT;
	delta = 0.25;
	for (int i = 0; i < NOPT; i++) {
		maturities[i] = ends[i];
		swaprates[i] = 0.045f + 0.005f * (i % 3);
	}
	for (int i = 0; i < NN; i++)
		lambda[i] = 0.2;

	start(L, z);
	path_calc(L, z);
	printf("v  = %15.8f\n", portfolio(L));

	start(L, z);
	path_calc_b1(L, z, L2);
	printf("v  = %15.8f\n", portfolio_b(L, L));
	path_calc_b2(L, z, L2);
	printf("Lb = %15.8f\n", L[NN - 1]);
	return 0;
}
