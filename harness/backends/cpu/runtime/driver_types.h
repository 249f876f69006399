// Handles, flags and structures of the runtime API.
#pragma once

#include "api/device_properties.h"
#include "api/driver_types.h"
