/* cusparse_v2.h: the second interface of cuSPARSE has the same names. */
#include "cusparse.h"
