/* Shared by the test programs: calls that must return a given code. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define EXPECT(want, call) check_code((int)(want), (int)(call), #call, __FILE__, __LINE__)
#define OK(call) EXPECT(CUDA_SUCCESS, call)
#define REQUIRE(condition) check_that((condition) != 0, #condition, __FILE__, __LINE__)

static inline void check_code(int want, int got, const char *call, const char *file, int line)
{
	if (got == want)
		return;
	printf("%s:%d: %s answered %d, not %d\n", file, line, call, got, want);
	exit(1);
}

static inline void check_that(int holds, const char *condition, const char *file, int line)
{
	if (holds)
		return;
	printf("%s:%d: not so: %s\n", file, line, condition);
	exit(1);
}

static inline int passed(void)
{
	puts("PASSED");
	return 0;
}

#endif
