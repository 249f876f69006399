// cub::DeviceRunLengthEncode.
#ifndef LEETK_CUB_DEVICE_RUN_LENGTH_ENCODE_CUH
#define LEETK_CUB_DEVICE_RUN_LENGTH_ENCODE_CUH
#pragma GCC system_header

#include "cub/leetk/device_call.h"
#include "cub/leetk/fold.h"

namespace cub {

struct DeviceRunLengthEncode {
    template <class In, class Unique, class Counts, class Runs, class Count>
    static cudaError_t Encode(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                              Unique d_unique_out, Counts d_counts_out, Runs d_num_runs_out,
                              Count num_items, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceRunLengthEncode::Encode", here, stream, d_temp_storage,
                               temp_storage_bytes};
        auto body = [=]() mutable {
            long long runs = 0;
            for_each_run(d_in, (long long)num_items, [&](long long begin, long long end) {
                d_unique_out[runs] = d_in[begin];
                d_counts_out[runs++] = end - begin;
            });
            *d_num_runs_out = runs;
        };
        return call.run(leetk::tile_storage(num_items), body, d_in, d_unique_out, d_counts_out,
                        d_num_runs_out);
    }
    // Runs of more than one item.
    template <class In, class Offsets, class Lengths, class Runs, class Count>
    static cudaError_t NonTrivialRuns(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                      Offsets d_offsets_out, Lengths d_lengths_out,
                                      Runs d_num_runs_out, Count num_items, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceRunLengthEncode::NonTrivialRuns", here, stream,
                               d_temp_storage, temp_storage_bytes};
        auto body = [=]() mutable {
            long long runs = 0;
            for_each_run(d_in, (long long)num_items, [&](long long begin, long long end) {
                if (end - begin < 2) return;
                d_offsets_out[runs] = begin;
                d_lengths_out[runs++] = end - begin;
            });
            *d_num_runs_out = runs;
        };
        return call.run(leetk::tile_storage(num_items), body, d_in, d_offsets_out, d_lengths_out,
                        d_num_runs_out);
    }

private:
    template <class In, class Found>
    static void for_each_run(In in, long long items, Found found) {
        for (long long begin = 0, end; begin < items; begin = end) {
            leetk::ValueOf<In> item = in[begin];
            for (end = begin + 1; end < items && item == in[end];) ++end;
            found(begin, end);
        }
    }
};

}  // namespace cub

#endif
