// Which accesses a fence has made visible to other blocks: own ones before it, those of the warp before its last warp
// barrier, those of the block before its last barrier (fences are cumulative over what barriers order).
#include <unordered_map>

#include "runner.h"

namespace {
struct Mark {
  uint32_t epoch, lane_epoch;
};
std::unordered_map<uint64_t, Mark> marks;  // last fence of a thread, of a warp (from WARPS on) and of a block
enum { WARPS = 1024, BLOCK = 1056, PLACES = 2048 };

uint64_t key(uint64_t block, unsigned place) { return block * PLACES + place; }

const Mark* last(uint64_t block, unsigned place) {
  auto found = marks.find(key(block, place));
  return found == marks.end() ? nullptr : &found->second;
}
}  // namespace

void note_fence(void) {
  const uint64_t block = current_block();
  const unsigned thread = current_thread();
  const Mark now = {barrier_epoch, warp_epoch[thread >> 5]};
  marks[key(block, thread)] = marks[key(block, WARPS + (thread >> 5))] = marks[key(block, BLOCK)] = now;
}

bool fenced_since(uint32_t block, uint32_t epoch, uint32_t lane_epoch, uint32_t thread) {
  if (marks.empty()) return false;
  if (const Mark* found = last(block, BLOCK); found && found->epoch > epoch) return true;
  if (const Mark* found = last(block, WARPS + (thread >> 5)); found && found->epoch == epoch && found->lane_epoch > lane_epoch) return true;
  const Mark* own = last(block, thread);
  return own && own->epoch >= epoch;
}
