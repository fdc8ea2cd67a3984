/*
 * texture_types.h: the name under which programs include the types of textures.
 *
 * The hardware reads textures of one, two and three dimensions. The other kinds have only numbers.
 */
#ifndef __TEXTURE_TYPES_H__
#define __TEXTURE_TYPES_H__

#include "driver_types.h"

#endif
