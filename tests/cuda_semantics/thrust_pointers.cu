// thrust's pointers, vectors, policies and iterators.
#include <cstdio>
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

struct Dot {
  __host__ __device__ float operator()(const thrust::tuple<float, float>& t) const {
    return thrust::get<0>(t) * thrust::get<1>(t);
  }
};
struct Fill {
  int* out;
  __host__ __device__ void operator()(int i) const { out[i] = i * i - 1; }
};
struct Half {
  __host__ __device__ int operator()(int i) const { return i / 2; }
};

__global__ void in_kernel(int* data, int n, int* sum) {
  thrust::sort(thrust::seq, data, data + n);
  *sum = thrust::reduce(thrust::seq, data, data + n, 1000);
}

int main() {
  const int n = 10;
  int* raw;
  cudaMalloc(&raw, n * sizeof(int));
  thrust::device_ptr<int> p(raw), q = thrust::device_pointer_cast(raw);
  thrust::for_each(thrust::device, thrust::make_counting_iterator(0), thrust::make_counting_iterator(n), Fill{raw});
  p[3] = 100;
  *(q + 4) += 7;
  int third = p[3], fourth = q[4];
  printf("%d %d %d %d\n", third, fourth, int(p == q), int(thrust::raw_pointer_cast(p + 2) - raw));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  thrust::sort(thrust::cuda::par.on(stream), raw, raw + n);
  cudaStreamSynchronize(stream);
  printf("%d ", thrust::reduce(thrust::device, raw, raw + n, 0, thrust::plus<int>()));
  printf("%d\n", thrust::reduce(p, p + n));
  int host[] = {4, 2, 9, 1};
  thrust::sort(host, host + 4);
  thrust::sort(thrust::host, host, host + 3, thrust::greater<int>());
  printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);

  thrust::host_vector<float> a(5), b(5);
  for (int i = 0; i < 5; ++i) {
    a[i] = i + 0.5f;
    b[i] = 2.0f * i;
  }
  thrust::device_vector<float> x = a, y(b.begin(), b.end()), z(5);
  auto first = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
  thrust::transform(first, first + 5, z.begin(), Dot());
  for (float value : thrust::host_vector<float>(z)) printf("%g ", value);
  printf("%g\n", thrust::reduce(thrust::make_transform_iterator(first, Dot()), thrust::make_transform_iterator(first + 5, Dot())));
  thrust::device_vector<int> order(5);
  for (int i = 0; i < 5; ++i) order[i] = i * 2 % 5;
  auto permuted = thrust::make_permutation_iterator(x.begin(), order.begin());
  thrust::copy(permuted, permuted + 5, z.begin());
  thrust::copy(z.begin(), z.end(), a.begin());
  printf("%g %g %g\n", a[1], a[3], thrust::reduce(thrust::make_constant_iterator(2.5f), thrust::make_constant_iterator(2.5f) + 6));
  auto halves = thrust::make_transform_iterator(thrust::make_counting_iterator(1), Half());
  printf("%d\n", thrust::reduce(halves, halves + 9));

  thrust::device_vector<int> v(3, 7);
  v.push_back(8);
  v.resize(6);
  v.insert(v.begin() + 1, 5);
  v.erase(v.begin());
  v.back() = 9;
  thrust::device_vector<int> w = v;
  printf("%d %d:", int(v.size()), int(w == v));
  for (size_t i = 0; i < w.size(); ++i) printf(" %d", int(w[i]));
  printf("\n");
  in_kernel<<<1, 1>>>(raw, n, thrust::raw_pointer_cast(w.data()));
  printf("%d %d\n", int(w[0]), int(w.front() - thrust::reduce(p, p + n)));
  cudaFree(raw);
}
