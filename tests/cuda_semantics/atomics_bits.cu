// atomicAnd, atomicOr, atomicXor, atomicExch, atomicInc, atomicDec and atomicCAS of every width:
// what they return, by one thread.
#include <cstdio>

__global__ void bits(unsigned* narrow, unsigned long long* wide, unsigned short* half, int* out) {
  out[0] = atomicAnd(narrow, 0xff00ff00u) == 0xdeadbeefu;
  out[1] = atomicOr(narrow, 0x00000081u) == 0xde00be00u;
  out[2] = atomicXor(narrow, 0xffffffffu) == 0xde00be81u;
  out[3] = atomicExch(narrow, 5u) == 0x21ff417eu;
  out[4] = atomicInc(narrow, 6u) == 5 && atomicInc(narrow, 6u) == 6 && *narrow == 0;
  out[5] = atomicDec(narrow, 9u) == 0 && atomicDec(narrow, 9u) == 9 && *narrow == 8;
  out[6] = atomicDec(narrow, 3u) == 8 && *narrow == 3;
  out[7] = atomicAnd(wide, 0xffffffff00000000ull) == 0x123456789abcdef0ull;
  out[8] = atomicOr(wide, 1ull) == 0x1234567800000000ull;
  out[9] = atomicXor(wide, 3ull) == 0x1234567800000001ull;
  out[10] = atomicExch(wide, ~0ull) == 0x1234567800000002ull;
  out[11] = atomicMin(wide, 7ull) == ~0ull && atomicMax(wide, 9ull) == 7 && *wide == 9;
  out[12] = atomicCAS(wide, 8ull, 1ull) == 9 && atomicCAS(wide, 9ull, 1ull) == 9 && *wide == 1;
  out[13] = atomicCAS(half, (unsigned short)7, (unsigned short)500) == 7 && half[1] == 8;
  out[14] = atomicCAS(half, (unsigned short)7, (unsigned short)1) == 500 && half[0] == 500;
  out[15] = atomicMin((int*)narrow, -4) == 3 && atomicMax((long long*)wide, -5ll) == 1;
}

int main() {
  unsigned* narrow;
  unsigned long long* wide;
  unsigned short* half;
  int* out;
  cudaMallocManaged(&narrow, sizeof(unsigned));
  cudaMallocManaged(&wide, sizeof(unsigned long long));
  cudaMallocManaged(&half, 2 * sizeof(unsigned short));
  cudaMallocManaged(&out, 16 * sizeof(int));
  *narrow = 0xdeadbeefu;
  *wide = 0x123456789abcdef0ull;
  half[0] = 7;
  half[1] = 8;
  bits<<<1, 1>>>(narrow, wide, half, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; ++i) printf("%d ", out[i]);
  printf("\n%d %llu\n", (int)*narrow, *wide);
  cudaFree(narrow);
  cudaFree(wide);
  cudaFree(half);
  cudaFree(out);
}
