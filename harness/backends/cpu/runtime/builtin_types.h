// The built-in types and those of the runtime API.
#pragma once

#include "api/device_properties.h"
#include "api/driver_types.h"
#include "leetk/types.h"
