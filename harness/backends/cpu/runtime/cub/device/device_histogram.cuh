// cub::DeviceHistogram: of equal bins or of bins with given borders, of one or several channels,
// of a sequence or of the rows of an image.
#ifndef LEETK_CUB_DEVICE_HISTOGRAM_CUH
#define LEETK_CUB_DEVICE_HISTOGRAM_CUH
#pragma GCC system_header

#include "cub/leetk/bins.h"
#include "cub/leetk/device_call.h"
#include "cub/leetk/fold.h"

namespace cub {

struct DeviceHistogram {
    template <class Samples, class Counter, class Level, class Offset>
    static cudaError_t HistogramEven(void* d_temp_storage, size_t& temp_storage_bytes,
                                     Samples d_samples, Counter* d_histogram, int num_levels,
                                     Level lower_level, Level upper_level, Offset num_samples,
                                     LEETK_CUB_DEVICE) {
        return HistogramEven(d_temp_storage, temp_storage_bytes, d_samples, d_histogram, num_levels,
                             lower_level, upper_level, num_samples, Offset(1),
                             size_t(num_samples) * sizeof(leetk::ValueOf<Samples>), stream, here);
    }
    template <class Samples, class Counter, class Level, class Offset>
    static cudaError_t HistogramEven(void* d_temp_storage, size_t& temp_storage_bytes,
                                     Samples d_samples, Counter* d_histogram, int num_levels,
                                     Level lower_level, Level upper_level, Offset num_row_samples,
                                     Offset num_rows, size_t row_stride_bytes, LEETK_CUB_DEVICE) {
        using Bins = leetk::EvenBins<leetk::ValueOf<Samples>, Level>;
        leetk::DeviceCall call{"cub::DeviceHistogram::HistogramEven", here, stream, d_temp_storage,
                               temp_storage_bytes};
        leetk::Channels<Counter*, 1> histograms{{d_histogram}};
        leetk::Channels<Bins, 1> bins{{Bins(num_levels, lower_level, upper_level)}};
        Image image{(long long)num_row_samples, (long long)num_rows, row_stride_bytes};
        return count<1>(call, d_samples, histograms, bins, image);
    }

    template <class Samples, class Counter, class Level, class Offset>
    static cudaError_t HistogramRange(void* d_temp_storage, size_t& temp_storage_bytes,
                                      Samples d_samples, Counter* d_histogram, int num_levels,
                                      const Level* d_levels, Offset num_samples, LEETK_CUB_DEVICE) {
        return HistogramRange(d_temp_storage, temp_storage_bytes, d_samples, d_histogram,
                              num_levels, d_levels, num_samples, Offset(1),
                              size_t(num_samples) * sizeof(leetk::ValueOf<Samples>), stream, here);
    }
    template <class Samples, class Counter, class Level, class Offset>
    static cudaError_t HistogramRange(void* d_temp_storage, size_t& temp_storage_bytes,
                                      Samples d_samples, Counter* d_histogram, int num_levels,
                                      const Level* d_levels, Offset num_row_samples,
                                      Offset num_rows, size_t row_stride_bytes, LEETK_CUB_DEVICE) {
        using Bins = leetk::RangeBins<Level>;
        leetk::DeviceCall call{"cub::DeviceHistogram::HistogramRange", here, stream,
                               d_temp_storage, temp_storage_bytes};
        leetk::Channels<Counter*, 1> histograms{{d_histogram}};
        leetk::Channels<Bins, 1> bins{{Bins{num_levels, d_levels}}};
        Image image{(long long)num_row_samples, (long long)num_rows, row_stride_bytes};
        return count<1>(call, d_samples, histograms, bins, image);
    }

    // Samples come interleaved, NUM_CHANNELS a pixel; the first NUM_ACTIVE_CHANNELS are counted.
    // The per-channel arguments are arrays or std::arrays.
    template <int NUM_CHANNELS, int NUM_ACTIVE_CHANNELS, class Samples, class Histograms,
              class Levels, class Lowers, class Uppers, class Offset>
    static cudaError_t MultiHistogramEven(void* d_temp_storage, size_t& temp_storage_bytes,
                                          Samples d_samples, const Histograms& d_histogram,
                                          const Levels& num_levels, const Lowers& lower_level,
                                          const Uppers& upper_level, Offset num_pixels,
                                          LEETK_CUB_DEVICE) {
        return MultiHistogramEven<NUM_CHANNELS, NUM_ACTIVE_CHANNELS>(
            d_temp_storage, temp_storage_bytes, d_samples, d_histogram, num_levels, lower_level,
            upper_level, num_pixels, Offset(1),
            size_t(num_pixels) * NUM_CHANNELS * sizeof(leetk::ValueOf<Samples>), stream, here);
    }
    template <int NUM_CHANNELS, int NUM_ACTIVE_CHANNELS, class Samples, class Histograms,
              class Levels, class Lowers, class Uppers, class Offset>
    static cudaError_t MultiHistogramEven(void* d_temp_storage, size_t& temp_storage_bytes,
                                          Samples d_samples, const Histograms& d_histogram,
                                          const Levels& num_levels, const Lowers& lower_level,
                                          const Uppers& upper_level, Offset num_row_pixels,
                                          Offset num_rows, size_t row_stride_bytes,
                                          LEETK_CUB_DEVICE) {
        using Level = std::decay_t<decltype(lower_level[0])>;
        using Bins = leetk::EvenBins<leetk::ValueOf<Samples>, Level>;
        leetk::DeviceCall call{"cub::DeviceHistogram::MultiHistogramEven", here, stream,
                               d_temp_storage, temp_storage_bytes};
        leetk::Channels<std::decay_t<decltype(d_histogram[0])>, NUM_ACTIVE_CHANNELS> histograms;
        leetk::Channels<Bins, NUM_ACTIVE_CHANNELS> bins;
        for (int c = 0; c < NUM_ACTIVE_CHANNELS; ++c) {
            histograms.of[c] = d_histogram[c];
            bins.of[c] = Bins(num_levels[c], lower_level[c], upper_level[c]);
        }
        Image image{(long long)num_row_pixels, (long long)num_rows, row_stride_bytes};
        return count<NUM_CHANNELS>(call, d_samples, histograms, bins, image);
    }

    template <int NUM_CHANNELS, int NUM_ACTIVE_CHANNELS, class Samples, class Histograms,
              class Counts, class Levels, class Offset>
    static cudaError_t MultiHistogramRange(void* d_temp_storage, size_t& temp_storage_bytes,
                                           Samples d_samples, const Histograms& d_histogram,
                                           const Counts& num_levels, const Levels& d_levels,
                                           Offset num_pixels, LEETK_CUB_DEVICE) {
        return MultiHistogramRange<NUM_CHANNELS, NUM_ACTIVE_CHANNELS>(
            d_temp_storage, temp_storage_bytes, d_samples, d_histogram, num_levels, d_levels,
            num_pixels, Offset(1),
            size_t(num_pixels) * NUM_CHANNELS * sizeof(leetk::ValueOf<Samples>), stream, here);
    }
    template <int NUM_CHANNELS, int NUM_ACTIVE_CHANNELS, class Samples, class Histograms,
              class Counts, class Levels, class Offset>
    static cudaError_t MultiHistogramRange(void* d_temp_storage, size_t& temp_storage_bytes,
                                           Samples d_samples, const Histograms& d_histogram,
                                           const Counts& num_levels, const Levels& d_levels,
                                           Offset num_row_pixels, Offset num_rows,
                                           size_t row_stride_bytes, LEETK_CUB_DEVICE) {
        using Level = std::remove_cv_t<std::remove_pointer_t<std::decay_t<decltype(d_levels[0])>>>;
        using Bins = leetk::RangeBins<Level>;
        leetk::DeviceCall call{"cub::DeviceHistogram::MultiHistogramRange", here, stream,
                               d_temp_storage, temp_storage_bytes};
        leetk::Channels<std::decay_t<decltype(d_histogram[0])>, NUM_ACTIVE_CHANNELS> histograms;
        leetk::Channels<Bins, NUM_ACTIVE_CHANNELS> bins;
        for (int c = 0; c < NUM_ACTIVE_CHANNELS; ++c) {
            histograms.of[c] = d_histogram[c];
            bins.of[c] = Bins{num_levels[c], d_levels[c]};
        }
        Image image{(long long)num_row_pixels, (long long)num_rows, row_stride_bytes};
        return count<NUM_CHANNELS>(call, d_samples, histograms, bins, image);
    }

private:
    struct Image {
        long long row_pixels;
        long long rows;
        size_t row_stride_bytes;
    };

    template <int channels, class Samples, class Counter, class Bins, int active>
    static cudaError_t count(const leetk::DeviceCall& call, Samples samples,
                             const leetk::Channels<Counter, active>& histograms,
                             const leetk::Channels<Bins, active>& bins, const Image& image) {
        auto body = [=]() mutable {
            for (int c = 0; c < active; ++c) {
                for (int bin = 0; bin < bins.of[c].count(); ++bin) histograms.of[c][bin] = 0;
            }
            for (long long row = 0; row < image.rows; ++row) {
                size_t sample_bytes = sizeof(leetk::ValueOf<Samples>);
                long long begin = row * (long long)(image.row_stride_bytes / sample_bytes);
                for (long long i = 0; i < image.row_pixels; ++i) {
                    for (int c = 0; c < active; ++c) {
                        int bin = bins.of[c].of(samples[begin + i * channels + c]);
                        if (bin >= 0 && bin < bins.of[c].count()) histograms.of[c][bin] += 1;
                    }
                }
            }
        };
        for (const Bins& borders : bins.of) {
            if (borders.overflows()) return cudaErrorInvalidValue;
        }
        return call.run(1024, body, samples, histograms.of[0]);
    }
};

}  // namespace cub

#endif
