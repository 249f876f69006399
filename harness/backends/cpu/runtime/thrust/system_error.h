// thrust::system_error, which an algorithm throws when CUDA refuses it.
#ifndef LEETK_THRUST_SYSTEM_ERROR_H
#define LEETK_THRUST_SYSTEM_ERROR_H
#pragma GCC system_header

#include <new>
#include <stdexcept>
#include <string>

#include "cuda_runtime.h"

namespace thrust {

struct error_code {
    int number = 0;
    int value() const { return number; }
    std::string message() const { return cudaGetErrorString(cudaError_t(number)); }
    explicit operator bool() const { return number != 0; }
};
struct error_category {};
inline const error_category& cuda_category() {
    static const error_category only;
    return only;
}

class system_error : public std::runtime_error {
public:
    system_error(int number, const error_category&, const std::string& what = "")
        : system_error(number, what) {}
    explicit system_error(int number, const std::string& what = "")
        : std::runtime_error((what.empty() ? what : what + ": ") +
                             cudaGetErrorString(cudaError_t(number))),
          found{number} {}
    const error_code& code() const noexcept { return found; }

private:
    error_code found;
};

namespace system {
using thrust::error_code;
using thrust::system_error;
using bad_alloc = std::bad_alloc;
}  // namespace system

}  // namespace thrust

#endif
