// A critical section behind atomicCAS, entered by one thread of each warp and by all threads in
// turn.
#include <cstdio>

struct Account {
  int lock;
  int visits;
  long long sum;
};

__device__ void enter(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ void leave(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void one_of_each_warp(volatile Account* account) {
  if (threadIdx.x % 32 == 0) {
    enter((int*)&account->lock);
    account->visits = account->visits + 1;
    account->sum = account->sum + blockIdx.x * 100 + threadIdx.x;
    leave((int*)&account->lock);
  }
}

__global__ void every_thread(volatile Account* account) {
  bool done = false;
  while (!done) {
    if (atomicCAS((int*)&account->lock, 0, 1) == 0) {
      __threadfence();
      account->visits = account->visits + 1;
      account->sum = account->sum * 3 % 1000003 + 1;
      leave((int*)&account->lock);
      done = true;
    }
  }
}

int main() {
  Account* account;
  cudaMallocManaged(&account, sizeof(Account));
  *account = {0, 0, 0};
  one_of_each_warp<<<8, 128>>>(account);
  cudaDeviceSynchronize();
  printf("%d %d %lld\n", account->lock, account->visits, account->sum);
  *account = {0, 0, 0};
  every_thread<<<4, 64>>>(account);
  cudaDeviceSynchronize();
  printf("%d %d %lld\n", account->lock, account->visits, account->sum);
  cudaFree(account);
}
