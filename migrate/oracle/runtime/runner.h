// What the parts of the runner know of each other.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "oracle_abi.h"

enum ScheduleKind { CONTRACT, REVERSED, SEEDED };

// schedule.cpp
void set_schedule(ScheduleKind kind, uint64_t seed, unsigned long blocks, unsigned threads);
// order.cpp is part of schedule.cpp's contract: runs all blocks with one stack a thread. False: `run_failure` says why.
bool run_blocks(void (*thread)(void**), void** arguments, unsigned long blocks, unsigned threads);
const char* run_failure(void);
unsigned current_thread(void);
void step_with_warp(bool write, uintptr_t counter);  // before an access to shared memory; write: a volatile one
extern int wrote_count;  // lanes that have made a volatile write and no step since
unsigned long current_block(void);
extern uint32_t barrier_epoch, warp_epoch[32];

// findings.cpp
struct Place {
  uintptr_t counter;   // program counter, 0: none
  int line;            // known line, 0: to be found from the counter
};
void add_finding(const char* kind, Place place, Place other, const char* root, const char* message);
void write_findings(FILE* report, uintptr_t library_base);

// fences.cpp
void note_fence(void);
// Whether what this thread did in this epoch of its block and warp has been published by a fence since.
bool fenced_since(uint32_t block, uint32_t epoch, uint32_t lane_epoch, uint32_t thread);

// access.cpp
struct RootArea {
  char name[128];
  unsigned char* base;
  size_t bytes;
  unsigned char* mapping;  // reserved around it; equal to base for symbols
  size_t mapping_bytes;
};
void watch_root(const RootArea& area, bool symbol);
bool in_kernel_memory(uintptr_t address);  // in or around a root, or in dynamic shared memory
void watch_shared(unsigned char* address, size_t bytes, size_t apart);  // apart: bytes of nothing behind it
bool in_shared_memory(uintptr_t address);
void watch_dynamic(unsigned char* address, size_t bytes);
void finish_accesses(void);
void write_extents(FILE* report);
bool any_out_of_bounds(void);
extern bool access_checks;

// events.cpp
void write_events(FILE* report);

// perturb.cpp
void set_movement(const char* how, uint64_t seed);  // up, down or seed

// coverage.cpp
void write_arcs(FILE* report);

// main.cpp
[[noreturn]] void stop_run(const char* status, const char* message, uintptr_t counter);
void poison_shared(void);
