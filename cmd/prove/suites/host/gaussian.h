// Included in front of Rodinia's gaussian, whose results no option prints: after it has looked at
// the clock, it has been told to print.

#include <stddef.h>
#include <sys/time.h>

static int verbose;

#define gettimeofday(time, zone) ((gettimeofday)(time, zone), verbose = 1)
