// cub::DeviceMerge: merges two sorted sequences; of equal keys the first sequence's come first.
#ifndef LEETK_CUB_DEVICE_MERGE_CUH
#define LEETK_CUB_DEVICE_MERGE_CUH
#pragma GCC system_header

#include "cub/leetk/device_call.h"
#include "cub/thread/thread_operators.cuh"

namespace cub {

struct DeviceMerge {
    template <class Keys1, class Keys2, class Out, class Compare = std::less<>>
    static cudaError_t MergeKeys(void* d_temp_storage, size_t& temp_storage_bytes, Keys1 keys_in1,
                                 long long num_keys1, Keys2 keys_in2, long long num_keys2,
                                 Out keys_out, Compare compare_op = {}, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceMerge::MergeKeys", here, stream, d_temp_storage,
                               temp_storage_bytes};
        auto body = [=]() mutable {
            long long i = 0, j = 0;
            while (i < num_keys1 || j < num_keys2) {
                long long at = i + j;
                if (second(keys_in1, i, num_keys1, keys_in2, j, num_keys2, compare_op)) {
                    keys_out[at] = keys_in2[j++];
                } else {
                    keys_out[at] = keys_in1[i++];
                }
            }
        };
        return call.run(1024, body, keys_in1, keys_in2, keys_out);
    }
    template <class Keys1, class Values1, class Keys2, class Values2, class KeysOut,
              class ValuesOut, class Compare = std::less<>>
    static cudaError_t MergePairs(void* d_temp_storage, size_t& temp_storage_bytes, Keys1 keys_in1,
                                  Values1 values_in1, long long num_pairs1, Keys2 keys_in2,
                                  Values2 values_in2, long long num_pairs2, KeysOut keys_out,
                                  ValuesOut values_out, Compare compare_op = {}, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceMerge::MergePairs", here, stream, d_temp_storage,
                               temp_storage_bytes};
        auto body = [=]() mutable {
            long long i = 0, j = 0;
            while (i < num_pairs1 || j < num_pairs2) {
                long long at = i + j;
                if (second(keys_in1, i, num_pairs1, keys_in2, j, num_pairs2, compare_op)) {
                    keys_out[at] = keys_in2[j];
                    values_out[at] = values_in2[j++];
                } else {
                    keys_out[at] = keys_in1[i];
                    values_out[at] = values_in1[i++];
                }
            }
        };
        return call.run(1024, body, keys_in1, values_in1, keys_in2, values_in2, keys_out,
                        values_out);
    }

private:
    // Whether the second sequence's next key comes first.
    template <class Keys1, class Keys2, class Compare>
    static bool second(Keys1 a, long long i, long long m, Keys2 b, long long j, long long n,
                       Compare& compare) {
        if (i == m) return true;
        return j < n && compare(b[j], a[i]);
    }
};

}  // namespace cub

#endif
