// Own handlers for the compiler's checks of undefined arithmetic: count by kind and source line, then go on.
// Layouts: the stable ABI between compilers and libubsan (llvm compiler-rt, ubsan_handlers.h).
#include <stdint.h>
#include <string.h>

#include "runner.h"

namespace {
struct SourcePlace {
  const char* file;
  uint32_t line, column;
};
struct TypeDescriptor {
  uint16_t kind, info;  // info: bit 0 signed, the rest log2 of the width in bits
  char name[1];
};
struct Entry {
  const char* kind;
  const char* file;
  uint32_t line;
  unsigned long count;
};
Entry entries[512];
int used;

void count(const char* kind, const SourcePlace& place) {
  const char* file = place.file ? place.file : "";
  for (int i = 0; i < used; i++) {
    Entry& e = entries[i];
    if (e.kind == kind && e.line == place.line && (e.file == file || !strcmp(e.file, file))) {
      e.count++;
      return;
    }
  }
  if (used < 512) entries[used++] = {kind, file, place.line, 1};
}

bool is_zero(const TypeDescriptor* type, uintptr_t value) {
  unsigned bits = 1u << (type->info >> 1);
  if (bits <= 8 * sizeof(uintptr_t)) {
    uintptr_t mask = bits == 64 ? ~(uintptr_t)0 : ((uintptr_t)1 << bits) - 1;
    return (value & mask) == 0;
  }
  const uint64_t* wide = (const uint64_t*)value;
  return wide[0] == 0 && wide[1] == 0;
}
struct TypedData {
  SourcePlace place;
  const TypeDescriptor* type;
};
struct MismatchData {
  SourcePlace place;
  const TypeDescriptor* type;
  unsigned char log_alignment, check;  // check: 0 load, 1 store, 2 reference, 3 member, then calls and casts
};
struct CastData {
  SourcePlace place;
  const TypeDescriptor *from, *to;
};
}  // namespace

void write_events(FILE* report) {
  for (int i = 0; i < used; i++)
    fprintf(report, "event\t%s\t%u\t%lu\t%s\n", entries[i].kind, entries[i].line, entries[i].count, entries[i].file);
}

extern "C" {
void oracle_note(const char* what) { count(what, SourcePlace{"", 0, 0}); }
void __ubsan_handle_add_overflow(TypedData* data, uintptr_t, uintptr_t) { count("signed_overflow", data->place); }
void __ubsan_handle_sub_overflow(TypedData* data, uintptr_t, uintptr_t) { count("signed_overflow", data->place); }
void __ubsan_handle_mul_overflow(TypedData* data, uintptr_t, uintptr_t) { count("signed_overflow", data->place); }
void __ubsan_handle_negate_overflow(TypedData* data, uintptr_t) { count("signed_overflow", data->place); }
void __ubsan_handle_divrem_overflow(TypedData* data, uintptr_t, uintptr_t right) {
  count(is_zero(data->type, right) ? "division_by_zero" : "signed_overflow", data->place);
}
void __ubsan_handle_shift_out_of_bounds(TypedData* data, uintptr_t, uintptr_t) { count("shift", data->place); }
// A device faults on an access that is not aligned to its type. Forming a reference is no access, and what the host's
// compiler does with small arrays on stacks and in static memory is not what a device's does.
void __ubsan_handle_type_mismatch_v1(MismatchData* data, uintptr_t pointer) {
  if ((data->check < 2 || data->check == 3) && in_kernel_memory(pointer)) count("misaligned", data->place);
}
void __ubsan_handle_float_cast_overflow(CastData* data, uintptr_t) {
  // An older layout has no place; its first word then points to a type descriptor, whose kind is 0, 1 or 0xffff.
  const uint8_t* first = *(const uint8_t* const*)data;
  if (!first || (first[0] < 2 && first[1] == 0) || (first[0] == 0xff && first[1] == 0xff))
    count("float_cast", SourcePlace{"", 0, 0});
  else
    count("float_cast", data->place);
}
}
