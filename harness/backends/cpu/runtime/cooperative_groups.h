// Cooperative groups: the block, the grid, tiles of a block and what is converged of a warp.
//
// Every group's operations are warp operations (leetk/warp.h) with the group's mask, barriers of
// the block (leetk/core.h) or of tiles of several warps (leetk/warp.h); so what holds of those
// holds of groups. Clusters are not here: every block is alone in its own.
#ifndef LEETK_COOPERATIVE_GROUPS_H
#define LEETK_COOPERATIVE_GROUPS_H

#include "api/groups.h"
#include "api/group_tiles.h"
#include "api/group_partitions.h"

#endif
