// The compiler's arc counters (-fprofile-arcs) without libgcov: each kernel library registers its table here at load.
// Layout: gcc/gcov-io.h, libgcov.h (gcov_info, gcov_fn_info, gcov_ctr_info); since gcc 12 with a checksum word.
#include <stdint.h>

#include "runner.h"

namespace {
struct CounterInfo {
  unsigned number;
  int64_t* values;
};
struct FunctionInfo {
  const void* key;
  unsigned identity, line_checksum, graph_checksum;
  CounterInfo counters[1];
};
struct FileInfo {
  unsigned version;
  FileInfo* next;
  unsigned stamp;
#if __GNUC__ >= 12
  unsigned checksum;
#endif
  const char* file_name;
  void* merge[1];
};
FileInfo* registered[16];
int used;
}  // namespace

extern "C" {
void __gcov_init(void* info) {
  if (used < 16) registered[used++] = (FileInfo*)info;
}
void __gcov_exit(void) {}
void __gcov_merge_add(int64_t*, unsigned) {}
}

void write_arcs(FILE* report) {
  for (int f = 0; f < used; f++) {
    // The number of merge functions differs between compiler versions; only the first is set, and after the last comes
    // the number of functions, which is not 0.
    void** word = registered[f]->merge + 1;
    while (!*word) word++;
    unsigned functions = *(unsigned*)word;
    FunctionInfo** table = *(FunctionInfo***)(word + 1);
    for (unsigned i = 0; i < functions; i++) {
      const FunctionInfo* info = table[i];
      if (!info || info->key != registered[f]) continue;
      fprintf(report, "arcs\t%u\t%u", info->identity, info->graph_checksum);
      for (unsigned c = 0; c < info->counters[0].number; c++) fprintf(report, "\t%lld", (long long)info->counters[0].values[c]);
      fprintf(report, "\n");
    }
  }
}
