// cudaGetLastError and its kin.
#include "api/internal.h"

namespace {

const char* const unrecognized = "unrecognized error code";

}  // namespace

extern "C" {

cudaError_t cudaGetLastError() { return (cudaError_t)leetk::get_error(); }

cudaError_t cudaPeekAtLastError() { return (cudaError_t)leetk::peek_error(); }

const char* cudaGetErrorName(cudaError_t error) {
    switch ((int)error) {
#define LEETK_ERROR(code, name, text) \
    case code:                        \
        return #name;
        LEETK_CUDA_ERRORS(LEETK_ERROR)
#undef LEETK_ERROR
    }
    return unrecognized;
}

const char* cudaGetErrorString(cudaError_t error) {
    switch ((int)error) {
#define LEETK_ERROR(code, name, text) \
    case code:                        \
        return text;
        LEETK_CUDA_ERRORS(LEETK_ERROR)
#undef LEETK_ERROR
    }
    return unrecognized;
}

}  // extern "C"
