// One wrong act a case. `in` holds 0, 1, 2 ... and `out` has n floats, too.
#include <cooperative_groups.h>

#include <cstdlib>
#include <cstring>
#include <vector>

enum Act {
  nothing, write_past, write_far_past, write_absurdly_far, write_before, read_past, read_past_twice,
  null_in_kernel, null_in_host, host_reads, host_copies, split_barrier, early_return, too_many,
  endless_recursion, host_recursion, misaligned, static_past, static_far_past, dynamic_past,
  dynamic_before, dynamic_unasked, division, host_pointer, host_array, alloc_past, alloc_before,
  frees_argument, exits_in_kernel, aborts, uses_freed, local_past, traps, throws, unset_pointer,
  host_static, device_symbol, builtin_in_host, dead_stream, over_bounds, shuffle_split,
  two_operations, unnamed_lane, different_masks, reads_ended_lane, missing_block, plain_grid_sync,
  grid_and_block, too_cooperative, heap_past, heap_before, heap_freed_twice, heap_frees_argument,
  heap_left_past, heap_in_host, heap_freed_by_host, heap_used_up
};

__global__ void write(float* p, long i) { p[i] = 1; }
__global__ void read(float* p, const float* from, long i) { p[threadIdx.x] = from[i + threadIdx.x]; }
__global__ void split(float* p) {
  if (threadIdx.x < 16) {
    p[threadIdx.x] = 1;
    __syncthreads();
  } else {
    p[threadIdx.x] = 2;
    __syncthreads();
  }
}
__global__ void leave(float* p) {
  if (threadIdx.x >= 40) return;
  __syncthreads();
  p[threadIdx.x] = 1;
}
__device__ __noinline__ int dive(volatile int* p, int depth) {
  volatile char frame[64];
  frame[0] = (char)*p;
  return dive(p, depth + 1) + frame[0] + 1;
}
__global__ void recurse(float* p) { p[0] = (float)dive((int*)p, 0); }
__global__ void wide(float* p, int shift) { *(float4*)p = *(float4*)(p + shift); }
__global__ void statics(float* p, int i) {
  __shared__ float s[32];
  s[threadIdx.x] = 1;
  __syncthreads();
  s[i] = 2;
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x];
}
__global__ void dynamics(float* p, int i) {
  extern __shared__ float s[];
  s[(int)threadIdx.x + i] = 1;
  __syncthreads();
  p[threadIdx.x] = s[(int)threadIdx.x + i];
}
__global__ void divide(float* p, int by) { p[0] = 10 / by; }
__global__ void leave_process() { exit(0); }
__global__ void overrun(float* p, int n) {
  volatile float local[8];
  for (int i = 0; i < n; ++i) local[i] = p[i];
  p[0] = local[3];
}
__global__ void trap() { __trap(); }
__global__ void follow(float** where, float* p) { *p = **where; }

__global__ void half_shuffles(float* p) {
  if (threadIdx.x < 16) {
    p[threadIdx.x] = __shfl_sync(0xffffffff, p[threadIdx.x], 0);
  } else {
    __syncthreads();
  }
}
__global__ void vote_and_sync(float* p) {
  if (threadIdx.x % 2) {
    p[threadIdx.x] = __any_sync(0xffffffff, 1);
  } else {
    __syncwarp();
  }
}
__global__ void leaves_itself_out(float* p) { p[threadIdx.x] = __shfl_sync(0xff, 1.0f, 0); }
__global__ void disagree(float* p) {
  unsigned mask = threadIdx.x < 4 ? 0xff : 0xffffffff;
  p[threadIdx.x] = __shfl_sync(mask, 1.0f, 0);
}
__global__ void read_ended(float* p) {
  if (threadIdx.x >= 20) return;
  p[threadIdx.x] = __shfl_down_sync(0xffffffff, 1.0f, 4);
}
__global__ void grid_waits(float* p, int leaver) {
  if ((int)blockIdx.x == leaver) return;
  cooperative_groups::this_grid().sync();
  p[blockIdx.x] = 1;
}
__global__ void two_barriers(float* p) {
  if (threadIdx.x < 8) {
    cooperative_groups::this_grid().sync();
  } else {
    cooperative_groups::this_thread_block().sync();
  }
  p[0] = 1;
}
__global__ void __launch_bounds__(32) bounded(float* p) { p[threadIdx.x] = 1; }

// A block of the device's heap that is left behind has its address in `p`.
__global__ void on_heap(float* p, int act) {
  float* block = (float*)malloc(act == heap_used_up ? 9 << 20 : 100);
  block[act == heap_past || act == heap_left_past ? 25 : act == heap_before ? -1 : 0] = 1;
  *(float**)p = block;
  if (act == heap_past || act == heap_before) free(block);
  if (act == heap_freed_twice) delete[] block, free(block);
  if (act == heap_frees_argument) free(p);
}

static float host_table[64];
__device__ float device_table[64];

static int descend(volatile int depth) {
  volatile char frame[1000];
  frame[0] = (char)depth;
  return descend(depth + 1) + frame[0];
}

extern "C" __attribute__((visibility("default"))) void solve(const float* in, float* out, int n,
                                                              int act) {
  float* p = nullptr;
  std::vector<float> heap(8);
  float local[4] = {};
  int leaver = 1;
  void* grid_arguments[] = {&out, &leaver};
  cudaStream_t stream;
  switch (act) {
    case nothing: break;
    case write_past: write<<<1, 1>>>(out, n + 1000); break;
    case write_far_past: write<<<1, 1>>>(out, n + (1 << 18)); break;
    case write_absurdly_far: write<<<1, 1>>>(out, n + (1l << 40)); break;
    case write_before: write<<<1, 1>>>(out, -1); break;
    case read_past: read<<<2, 2>>>(out, in, n + 100000); break;
    case read_past_twice: for (int i = 0; i < 2; ++i) read<<<1, 8>>>(out, in, n + 9000 * (i + 1)); break;
    case null_in_kernel: write<<<1, 1>>>(NULL, 0); break;
    case null_in_host: *(volatile int*)p = 1; break;
    case host_reads: out[0] = in[3]; break;
    case host_copies: memcpy(heap.data(), in, 16); if (heap[3] == 3) abort(); break;
    case split_barrier: split<<<2, 64>>>(out); break;
    case early_return: leave<<<2, 64>>>(out); break;
    case too_many: leave<<<2, 1500>>>(out); break;
    case endless_recursion: recurse<<<1, 2>>>(out); break;
    case host_recursion: descend(0); break;
    case misaligned: wide<<<1, 1>>>(out, 1); break;
    case static_past: statics<<<2, 32>>>(out, 32); break;
    case static_far_past: statics<<<2, 32>>>(out, 3000); break;
    case dynamic_past: dynamics<<<2, 32, 128>>>(out, 1); break;
    case dynamic_before: dynamics<<<2, 32, 128>>>(out, -1); break;
    case dynamic_unasked: dynamics<<<2, 32>>>(out, 0); break;
    case division: divide<<<1, 1>>>(out, n - n); break;
    case host_pointer: read<<<1, 1>>>(out, heap.data(), 0); break;
    case host_array: read<<<1, 1>>>(out, local, 0); break;
    case alloc_past: cudaMalloc(&p, 100); write<<<1, 1>>>(p, 25); break;
    case alloc_before: cudaMalloc(&p, 100); write<<<1, 1>>>(p, -1); cudaFree(p); break;
    case frees_argument: cudaFree(out); break;
    case exits_in_kernel: leave_process<<<1, 1>>>(); break;
    case aborts: abort();
    case uses_freed: cudaMalloc(&p, 100); cudaFree(p); write<<<1, 1>>>(p, 0); break;
    case local_past: overrun<<<1, 1>>>(out, 12); break;
    case traps: trap<<<1, 1>>>(); break;
    case throws: throw 1;
    case host_static: read<<<1, 1>>>(out, host_table, 0); break;
    case device_symbol: read<<<1, 1>>>(out, device_table, 0); break;
    case builtin_in_host: if (threadIdx.x == 7) abort(); break;
    case dead_stream:
      cudaStreamCreate(&stream);
      cudaStreamDestroy(stream);
      write<<<1, 1, 0, stream>>>(out, 0);
      break;
    case over_bounds: bounded<<<1, 33>>>(out); break;
    case shuffle_split: half_shuffles<<<1, 32>>>(out); break;
    case two_operations: vote_and_sync<<<1, 32>>>(out); break;
    case unnamed_lane: leaves_itself_out<<<1, 32>>>(out); break;
    case different_masks: disagree<<<1, 32>>>(out); break;
    case reads_ended_lane: read_ended<<<1, 32>>>(out); break;
    case missing_block:
      cudaLaunchCooperativeKernel((void*)grid_waits, dim3(3), dim3(64), grid_arguments);
      break;
    case plain_grid_sync: grid_waits<<<1, 1>>>(out, 1); break;
    case grid_and_block:
      cudaLaunchCooperativeKernel((void*)two_barriers, dim3(2), dim3(16), grid_arguments);
      break;
    case too_cooperative:
      cudaLaunchCooperativeKernel((void*)grid_waits, dim3(265), dim3(1024), grid_arguments);
      break;
    case heap_past: case heap_before: case heap_freed_twice: case heap_frees_argument:
    case heap_left_past: case heap_used_up: on_heap<<<1, 1>>>(out, act); break;
    case heap_in_host: case heap_freed_by_host:
      on_heap<<<1, 1>>>(out, act);
      cudaMemcpy(&p, out, sizeof p, cudaMemcpyDeviceToHost);
      if (act == heap_freed_by_host) free(p);
      *(volatile float*)p = 1;
      break;
    case unset_pointer: cudaMalloc(&p, 800); follow<<<1, 1>>>((float**)p, out); break;
  }
  cudaDeviceSynchronize();
}
