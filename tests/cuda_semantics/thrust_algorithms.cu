// thrust's algorithms on device vectors: sort, reduce, scan, transform, and so on.
#include <cstdio>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

struct Odd {
  __host__ __device__ bool operator()(int a) const { return a & 1; }
};
struct Square {
  __host__ __device__ int operator()(int a) const { return a * a; }
};
struct AddTo {
  int* total;
  __device__ void operator()(int a) const { atomicAdd(total, a); }
};
struct ByLastDigit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

static void show(const char* what, const thrust::device_vector<int>& v, int n = -1) {
  thrust::host_vector<int> h = v;
  if (n < 0) n = int(h.size());
  printf("%s:", what);
  for (int i = 0; i < n; ++i) printf(" %d", h[i]);
  printf("\n");
}

int main() {
  const int n = 20;
  thrust::host_vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = i * 13 % 17;
  thrust::device_vector<int> v = h, w(n), keys(n);
  printf("%d %d %d\n", thrust::reduce(v.begin(), v.end()),
         thrust::reduce(v.begin(), v.end(), -1, thrust::maximum<int>()),
         thrust::transform_reduce(v.begin(), v.end(), Square(), 5, thrust::plus<int>()));
  printf("%d %d\n", int(thrust::count(v.begin(), v.end(), 3)),
         int(thrust::count_if(v.begin(), v.end(), Odd())));
  printf("%d %d\n", int(thrust::max_element(v.begin(), v.end()) - v.begin()),
         int(*thrust::min_element(v.begin() + 1, v.end())));
  thrust::inclusive_scan(v.begin(), v.end(), w.begin());
  show("inclusive", w);
  thrust::exclusive_scan(v.begin(), v.end(), w.begin(), 100);
  show("exclusive", w);
  thrust::inclusive_scan(v.begin(), v.end(), w.begin(), thrust::maximum<int>());
  show("maxima", w);
  thrust::transform(v.begin(), v.end(), w.begin(), w.begin(), thrust::multiplies<int>());
  show("products", w);
  thrust::transform(v.begin(), v.end(), w.begin(), thrust::negate<int>());
  show("negated", w);
  printf("%d\n", thrust::inner_product(v.begin(), v.end(), w.begin(), 1));
  thrust::sequence(w.begin(), w.end(), 5, 3);
  show("sequence", w);
  w = v;
  thrust::sort(w.begin(), w.end());
  show("sorted", w);
  thrust::sort(w.begin(), w.end(), thrust::greater<int>());
  show("descending", w);
  thrust::stable_sort(w.begin(), w.end(), ByLastDigit());
  show("digits", w);
  keys = v;
  thrust::sequence(w.begin(), w.end());
  thrust::sort_by_key(keys.begin(), keys.end(), w.begin());
  show("places", w);
  int left = int(thrust::unique(keys.begin(), keys.end()) - keys.begin());
  show("unique", keys, left);
  left = int(thrust::remove_if(w.begin(), w.end(), Odd()) - w.begin());
  show("even", w, left);
  left = int(thrust::copy_if(v.begin(), v.end(), w.begin(), Odd()) - w.begin());
  show("odd", w, left);
  thrust::replace(w.begin(), w.end(), 3, 300);
  thrust::fill(w.begin() + 10, w.end(), 8);
  thrust::reverse(w.begin(), w.end());
  show("reversed", w);
  thrust::device_vector<int> map(4), four(4);
  map[0] = 3;
  map[1] = 19;
  map[2] = 0;
  map[3] = 7;
  thrust::gather(map.begin(), map.end(), v.begin(), four.begin());
  show("gathered", four);
  thrust::fill(w.begin(), w.end(), 0);
  thrust::scatter(four.begin(), four.end(), map.begin(), w.begin());
  show("scattered", w);
  thrust::device_vector<int> total(1, 0);
  thrust::for_each(v.begin(), v.end(), AddTo{thrust::raw_pointer_cast(total.data())});
  printf("%d\n", int(total[0]));
  for (int i = 0; i < n; ++i) keys[i] = i / 6;
  thrust::device_vector<int> out_keys(n), out(n);
  auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), v.begin(), out_keys.begin(), out.begin());
  show("segments", out, int(ends.second - out.begin()));
}
