// CUDA's calls in a process that was forked after the first one.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

__global__ void set(int* to) { *to = 7; }

static void say(const char* what, cudaError_t code) {
  printf("%s: %s\n", what, cudaGetErrorName(code));
}

int main() {
  int *value, *other, here = 0;
  cudaMalloc(&value, sizeof *value);
  cudaMemset(value, 0, sizeof *value);
  if (fork() == 0) {
    set<<<1, 1>>>(value);
    say("launch", cudaGetLastError());
    say("synchronise", cudaDeviceSynchronize());
    say("malloc", cudaMalloc(&other, 4));
    say("memcpy", cudaMemcpy(&here, value, 4, cudaMemcpyDefault));
    say("memset", cudaMemset(value, 0, 4));
    say("free", cudaFree(value));
    fflush(stdout);
    _exit(0);
  }
  wait(nullptr);
  cudaMemcpy(&here, value, sizeof here, cudaMemcpyDeviceToHost);
  printf("%d\n", here);
}
