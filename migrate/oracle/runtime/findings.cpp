// What the checks found, one entry a kind and pair of places.
#include <string.h>

#include "runner.h"

namespace {
struct Entry {
  const char* kind;
  Place place, other;
  unsigned long count;
  unsigned long block;
  unsigned thread;
  char root[128], message[256];
};
Entry entries[128];
int used;
}  // namespace

void add_finding(const char* kind, Place place, Place other, const char* root, const char* message) {
  for (int i = 0; i < used; i++) {
    Entry& e = entries[i];
    if (e.kind == kind && e.place.counter == place.counter && e.place.line == place.line &&
        e.other.counter == other.counter && e.other.line == other.line && !strcmp(e.root, root)) {
      e.count++;
      return;
    }
  }
  if (used == 128) return;
  Entry& e = entries[used++];
  e.kind = kind;
  e.place = place;
  e.other = other;
  e.count = 1;
  e.block = current_block();
  e.thread = current_thread();
  snprintf(e.root, sizeof e.root, "%s", root);
  snprintf(e.message, sizeof e.message, "%s", message);
}

void write_findings(FILE* report, uintptr_t base) {
  for (int i = 0; i < used; i++) {
    const Entry& e = entries[i];
    fprintf(report, "finding\t%s\t%lx\t%d\t%lx\t%d\t%lu\t%lu\t%u\t%s\t%s\n", e.kind,
            e.place.counter ? (unsigned long)(e.place.counter - base) : 0ul, e.place.line,
            e.other.counter ? (unsigned long)(e.other.counter - base) : 0ul, e.other.line, e.count, e.block, e.thread,
            e.root, e.message);
  }
}
