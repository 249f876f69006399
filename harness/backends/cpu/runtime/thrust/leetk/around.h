// What an include of any of thrust's algorithms shows besides, because thrust builds on it itself:
// programs rely on that. Included at the end of those headers, as they are among it.
#ifndef LEETK_THRUST_AROUND_H
#define LEETK_THRUST_AROUND_H
#pragma GCC system_header

#include "thrust/advance.h"
#include "thrust/copy.h"
#include "thrust/distance.h"
#include "thrust/fill.h"
#include "thrust/for_each.h"
#include "thrust/functional.h"
#include "thrust/iterator/constant_iterator.h"
#include "thrust/iterator/counting_iterator.h"
#include "thrust/iterator/discard_iterator.h"
#include "thrust/iterator/permutation_iterator.h"
#include "thrust/iterator/reverse_iterator.h"
#include "thrust/iterator/transform_iterator.h"
#include "thrust/iterator/zip_iterator.h"
#include "thrust/scan.h"
#include "thrust/swap.h"
#include "thrust/system/cuda/execution_policy.h"
#include "thrust/transform.h"
#include "thrust/tuple.h"

#endif
