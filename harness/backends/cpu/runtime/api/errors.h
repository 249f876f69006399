// cudaError_t, the last error, and the names and texts of errors.
#ifndef LEETK_API_ERRORS_H
#define LEETK_API_ERRORS_H

#include "api/error_table.h"

enum cudaError {
#define LEETK_ERROR(code, name, text) name = code,
    LEETK_CUDA_ERRORS(LEETK_ERROR)
#undef LEETK_ERROR
};
typedef enum cudaError cudaError_t;

extern "C" {
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
}

#endif
