// Hands the kernel to the runner. ORACLE_EXPORT stands after the original's text and uses names of ours only.
#pragma once
template <class T> static const char* oracle_type_text() { return __PRETTY_FUNCTION__; }
template <class F> struct oracle_signature;
template <class... A> struct oracle_signature<void (*)(A...)> {
  static constexpr int count = (int)sizeof...(A);
  static inline const size_t sizes[sizeof...(A) + 1] = {sizeof(typename std::decay<A>::type)..., 0};
  static const char* const* types() {
    static const char* const texts[] = {oracle_type_text<typename std::decay<A>::type>()..., ""};
    return texts;
  }
  template <void (*K)(A...), size_t... I> static void thread(void** a, std::index_sequence<I...>) {
    K(*(typename std::decay<A>::type*)a[I]...);
  }
  template <void (*K)(A...)> static void thread_function(void** a) { thread<K>(a, std::make_index_sequence<sizeof...(A)>()); }
#ifdef ORACLE_PLAIN
  template <void (*K)(A...)> static void loop(A... values) {
    const unsigned width = oracle_block_extent.x, height = oracle_block_extent.y, depth = oracle_block_extent.z;
    const unsigned long plane = (unsigned long)oracle_grid_extent.x * oracle_grid_extent.y, blocks = plane * oracle_grid_extent.z;
    const unsigned threads = width * height * depth;
    oracle_plain_block_extent = dim3(width, height, depth);
    oracle_plain_grid_extent = dim3(oracle_grid_extent.x, oracle_grid_extent.y, oracle_grid_extent.z);
    for (unsigned long k = 0; k < blocks; k++) {
      unsigned long block = oracle_block_at(k);
      oracle_plain_block = uint3{(unsigned)(block % oracle_grid_extent.x), (unsigned)(block % plane / oracle_grid_extent.x), (unsigned)(block / plane)};
      oracle_block_starts();
      if (oracle_ascending()) {
        for (unsigned z = 0; z < depth; z++)
          for (unsigned y = 0; y < height; y++)
            for (unsigned x = 0; x < width; x++) {
              oracle_plain_thread = uint3{x, y, z};
              K(values...);
            }
      } else {
        for (unsigned p = 0; p < (threads + 31) / 32 * 32; p++) {
          unsigned t = oracle_thread_at(p);
          if (t >= threads) continue;
          oracle_plain_thread = uint3{t % width, t / width % height, t / (width * height)};
          K(values...);
        }
      }
    }
  }
  template <void (*K)(A...), size_t... I> static void plain(void** a, std::index_sequence<I...>) {
    loop<K>(*(typename std::decay<A>::type*)a[I]...);
  }
  template <void (*K)(A...)> static void plain_function(void** a) { plain<K>(a, std::make_index_sequence<sizeof...(A)>()); }
#endif
};
#ifdef ORACLE_PLAIN
#define ORACLE_PLAIN_ENTRY(K) (&oracle_signature<decltype(K)>::template plain_function<K>)
#else
#define ORACLE_PLAIN_ENTRY(K) nullptr
#endif
#if defined(__GNUC__) && !defined(__clang__)
#define ORACLE_VISIBLE __attribute__((visibility("default"), externally_visible))
#else
#define ORACLE_VISIBLE __attribute__((visibility("default")))
#endif
// A variable that a case may set; constants lie in read-only memory and keep what the source gives them.
#define ORACLE_SYMBOL(...)                                                                                               \
  {#__VA_ARGS__,                                                                                                         \
   std::is_const<typename std::remove_all_extents<decltype(__VA_ARGS__)>::type>::value ? nullptr : (void*)&(__VA_ARGS__), \
   sizeof(__VA_ARGS__)}
#define ORACLE_EXPORT(SYNCHRONISES, SYMBOLS, SYMBOL_COUNT, ...)                                                        \
  extern "C" ORACLE_VISIBLE oracle_kernel oracle_kernel_table = {                              \
      oracle_signature<decltype(&__VA_ARGS__)>::count,                                                                 \
      oracle_signature<decltype(&__VA_ARGS__)>::sizes,                                                                 \
      oracle_signature<decltype(&__VA_ARGS__)>::types(),                                                               \
      SYNCHRONISES,                                                                                                    \
      &oracle_signature<decltype(&__VA_ARGS__)>::template thread_function<&__VA_ARGS__>,                               \
      ORACLE_PLAIN_ENTRY((&__VA_ARGS__)),                                                                              \
      oracle_dynamic_shared,                                                                                           \
      SYMBOLS,                                                                                                         \
      SYMBOL_COUNT,                                                                                                    \
      nullptr,                                                                                                         \
      0};
