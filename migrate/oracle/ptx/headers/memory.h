// State spaces. Global, constant, local and parameter addresses are addresses of this process; shared addresses are 32-bit
// distances from a base below the dynamic buffer, as kernels keep them in 32-bit registers.
alignas(1024) static unsigned char oracle_dynamic_shared[ORACLE_DYNAMIC_LIMIT];
#define SHARED_BASE ((u64)(uintptr_t)oracle_dynamic_shared - 0x10000000ull)
INLINE u64 from_shared(u64 offset) { return SHARED_BASE + (u32)offset; }
INLINE u64 to_shared(const void* p) { return (u64)(uintptr_t)p - SHARED_BASE; }
INLINE u64 generic_to_shared(u64 address) { return address - SHARED_BASE; }
INLINE bool in_area(u64 address, const void* low, size_t bytes) { return address - (u64)(uintptr_t)low < bytes; }

template <class R> INLINE R load(u64 address) {
  R r;
  __builtin_memcpy(&r, (const void*)address, sizeof r);
  return r;
}
template <class R> INLINE void store(u64 address, R value) { __builtin_memcpy((void*)address, &value, sizeof value); }

#ifdef ORACLE_CHECK
extern "C" {
void __tsan_read1(void*); void __tsan_read2(void*); void __tsan_read4(void*); void __tsan_read8(void*); void __tsan_read16(void*);
void __tsan_write1(void*); void __tsan_write2(void*); void __tsan_write4(void*); void __tsan_write8(void*); void __tsan_write16(void*);
u16 __tsan_atomic16_exchange(volatile u16*, u16, int);
u32 __tsan_atomic32_exchange(volatile u32*, u32, int);
u64 __tsan_atomic64_exchange(volatile u64*, u64, int);
}
// A device faults on an access that is not aligned to its whole size.
#define ALIGNED(A, N, WRITE)                                                                                           \
  do {                                                                                                                 \
    if (__builtin_expect((A) & ((N)-1), 0)) {                                                                          \
      event_data data_ = {{__FILE__, __LINE__, 0}, &event_integer, 0, WRITE};                                          \
      __ubsan_handle_type_mismatch_v1(&data_, (uintptr_t)(A));                                                         \
    }                                                                                                                  \
  } while (0)
#define READS(A, N) do { ALIGNED(A, N, 0); __tsan_read##N((void*)(A)); } while (0)
#define WRITES(A, N) do { ALIGNED(A, N, 1); __tsan_write##N((void*)(A)); } while (0)
#define EXCHANGED(A, N, NEW) do { ALIGNED(A, (N / 8), 1); __tsan_atomic##N##_exchange((volatile u##N*)(A), NEW, 0); } while (0)
#define UNSET (-1)
#else
#define READS(A, N)
#define WRITES(A, N)
#define EXCHANGED(A, N, NEW) store<u##N>(A, NEW)
#define UNSET 0
#endif
#define HERE (event_place{__FILE__, __LINE__, 0})

// New values of atomics, from the old one and the operands.
template <class T> INLINE RAW atomic_inc(RAW old, RAW limit) { return old >= limit ? (RAW)0 : (RAW)(old + 1); }
template <class T> INLINE RAW atomic_dec(RAW old, RAW limit) { return old == 0 || old > limit ? limit : (RAW)(old - 1); }
