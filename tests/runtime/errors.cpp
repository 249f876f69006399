// The errors' names and texts: CUDA's, as the API gives them, against what the judge is told.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

int main() {
  int known = 0, differ = 0;
  for (int code = 0; code < 20000; ++code) {
    const char* name = cudaGetErrorName((cudaError_t)code);
    const char* text = cudaGetErrorString((cudaError_t)code);
    if (strncmp(name, "cuda", 4) == 0) ++known;
    if (!leetk::error_name(code)) continue;
    if (strcmp(name, leetk::error_name(code)) || strcmp(text, leetk::error_text(code))) {
      ++differ;
      printf("%d: %s (%s), told as %s (%s)\n", code, name, text, leetk::error_name(code),
             leetk::error_text(code));
    }
  }
  printf("%d errors, %d differ\n", known, differ);
}
