// How memory is accessed, as far as it matters for the checks.
#ifndef LEETK_MANNER_H
#define LEETK_MANNER_H

namespace leetk {

// The last four are atomic. `add`: what it does depends on how often it is called (atomicInc and
// atomicXor, too); `bound`: a second call changes nothing (atomicMin, atomicOr).
enum class Manner : unsigned char { plain, is_volatile, add, bound, exchange, compare };

inline bool is_atomic(Manner manner) { return manner >= Manner::add; }

}  // namespace leetk

#endif
