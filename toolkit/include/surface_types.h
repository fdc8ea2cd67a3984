/*
 * surface_types.h: the name under which programs include the types of surfaces.
 *
 * The hardware has no surfaces: see surface_functions.h.
 */
#ifndef __SURFACE_TYPES_H__
#define __SURFACE_TYPES_H__

#include "driver_types.h"

#endif
