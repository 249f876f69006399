// cub::DeviceSelect: copies the items that are flagged, that satisfy a condition, or that differ
// from the one before.
#ifndef LEETK_CUB_DEVICE_SELECT_CUH
#define LEETK_CUB_DEVICE_SELECT_CUH
#pragma GCC system_header

#include "cub/leetk/device_call.h"
#include "cub/leetk/fold.h"
#include "cub/thread/thread_operators.cuh"

namespace cub {

struct DeviceSelect {
    template <class In, class Flags, class Out, class Selected>
    static cudaError_t Flagged(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                               Flags d_flags, Out d_out, Selected d_num_selected_out,
                               long long num_items, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceSelect::Flagged", here, stream, d_temp_storage,
                               temp_storage_bytes};
        auto keep = [=](long long i, const auto&) mutable { return bool(d_flags[i]); };
        return select(call, d_in, d_out, d_num_selected_out, num_items, keep, d_flags);
    }
    template <class Data, class Flags, class Selected>
    static cudaError_t Flagged(void* d_temp_storage, size_t& temp_storage_bytes, Data d_data,
                               Flags d_flags, Selected d_num_selected_out, long long num_items,
                               LEETK_CUB_DEVICE) {
        return Flagged(d_temp_storage, temp_storage_bytes, d_data, d_flags, d_data,
                       d_num_selected_out, num_items, stream, here);
    }

    template <class In, class Out, class Selected, class Op>
    static cudaError_t If(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                          Selected d_num_selected_out, long long num_items, Op select_op,
                          LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceSelect::If", here, stream, d_temp_storage,
                               temp_storage_bytes};
        auto keep = [=](long long, const auto& item) mutable { return bool(select_op(item)); };
        return select(call, d_in, d_out, d_num_selected_out, num_items, keep);
    }
    template <class Data, class Selected, class Op>
    static cudaError_t If(void* d_temp_storage, size_t& temp_storage_bytes, Data d_data,
                          Selected d_num_selected_out, long long num_items, Op select_op,
                          LEETK_CUB_DEVICE) {
        return If(d_temp_storage, temp_storage_bytes, d_data, d_data, d_num_selected_out, num_items,
                  select_op, stream, here);
    }

    template <class In, class Flags, class Out, class Selected, class Op>
    static cudaError_t FlaggedIf(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                                 Flags d_flags, Out d_out, Selected d_num_selected_out,
                                 long long num_items, Op select_op, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceSelect::FlaggedIf", here, stream, d_temp_storage,
                               temp_storage_bytes};
        auto keep = [=](long long i, const auto&) mutable { return bool(select_op(d_flags[i])); };
        return select(call, d_in, d_out, d_num_selected_out, num_items, keep, d_flags);
    }
    template <class Data, class Flags, class Selected, class Op>
    static cudaError_t FlaggedIf(void* d_temp_storage, size_t& temp_storage_bytes, Data d_data,
                                 Flags d_flags, Selected d_num_selected_out, long long num_items,
                                 Op select_op, LEETK_CUB_DEVICE) {
        return FlaggedIf(d_temp_storage, temp_storage_bytes, d_data, d_flags, d_data,
                         d_num_selected_out, num_items, select_op, stream, here);
    }

    // The first of each run of equal items.
    template <class In, class Out, class Selected>
    static cudaError_t Unique(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                              Selected d_num_selected_out, long long num_items, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceSelect::Unique", here, stream, d_temp_storage,
                               temp_storage_bytes};
        using T = leetk::ValueOf<In>;
        auto body = [=]() mutable {
            long long made = 0;
            T last{};
            for (long long i = 0; i < num_items; ++i) {
                T item = d_in[i];
                if (i == 0 || !(last == item)) d_out[made++] = item;
                last = item;
            }
            *d_num_selected_out = made;
        };
        return call.run(leetk::tile_storage(num_items), body, d_in, d_out, d_num_selected_out);
    }

    template <class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Selected,
              class Count, class Equal>
    static std::enable_if_t<!std::is_convertible_v<Equal, cudaStream_t>, cudaError_t> UniqueByKey(
        void* d_temp_storage, size_t& temp_storage_bytes, KeysIn d_keys_in, ValuesIn d_values_in,
        KeysOut d_keys_out, ValuesOut d_values_out, Selected d_num_selected_out, Count num_items,
        Equal equality_op, LEETK_CUB_DEVICE) {
        leetk::DeviceCall call{"cub::DeviceSelect::UniqueByKey", here, stream, d_temp_storage,
                               temp_storage_bytes};
        using Key = leetk::ValueOf<KeysIn>;
        auto body = [=]() mutable {
            long long made = 0;
            Key last{};
            for (long long i = 0; i < (long long)num_items; ++i) {
                Key key = d_keys_in[i];
                if (i == 0 || !equality_op(last, key)) {
                    d_values_out[made] = d_values_in[i];
                    d_keys_out[made++] = key;
                }
                last = key;
            }
            *d_num_selected_out = made;
        };
        return call.run(leetk::tile_storage(num_items), body, d_keys_in, d_values_in, d_keys_out,
                        d_values_out, d_num_selected_out);
    }
    template <class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class Selected,
              class Count>
    static cudaError_t UniqueByKey(void* d_temp_storage, size_t& temp_storage_bytes,
                                   KeysIn d_keys_in, ValuesIn d_values_in, KeysOut d_keys_out,
                                   ValuesOut d_values_out, Selected d_num_selected_out,
                                   Count num_items, LEETK_CUB_DEVICE) {
        return UniqueByKey(d_temp_storage, temp_storage_bytes, d_keys_in, d_values_in, d_keys_out,
                           d_values_out, d_num_selected_out, num_items, std::equal_to<>{}, stream,
                           here);
    }

private:
    template <class In, class Out, class Selected, class Keep, class... More>
    static cudaError_t select(const leetk::DeviceCall& call, In in, Out out, Selected selected,
                              long long items, Keep keep, const More&... more) {
        using T = leetk::ValueOf<In>;
        auto body = [=]() mutable {
            long long made = 0;
            for (long long i = 0; i < items; ++i) {
                T item = in[i];
                if (keep(i, item)) out[made++] = item;
            }
            *selected = made;
        };
        return call.run(leetk::tile_storage(items), body, in, out, selected, more...);
    }
};

}  // namespace cub

#endif
