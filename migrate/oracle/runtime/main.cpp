// Loads a compiled kernel, runs it on one case file, writes the case file after the run and a report.
// usage: runner LIBRARY describe REPORT | runner LIBRARY JOB
// JOB is a text file, one directive a line (see running.py, which writes it).
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "runner.h"

namespace {
struct Job {
  std::string case_file, output, report;
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  unsigned dynamic_bytes = 0;
  ScheduleKind schedule = CONTRACT;
  uint64_t seed = 0;
  bool check = false;
  int fill = 0xff;  // of shared memory before a block starts
  uint64_t reserve = 0;
  struct Root {
    std::string name;
    size_t start, bytes;
  };
  std::vector<Root> roots;
  struct Argument {
    int root = -1;
    int64_t offset = 0;
    std::vector<unsigned char> raw;
    bool texture = false;
    int numbers[10] = {};  // extents, address modes, format, linear, normalised, scaled
  };
  std::vector<Argument> arguments;
  struct Symbol {
    std::string name;
    int root;
  };
  std::vector<Symbol> symbols;
  struct Shared {
    size_t address, bytes, apart;
  };
  std::vector<Shared> shared;
} job;

constexpr size_t GUARD = 4096;
FILE* report;
uintptr_t library_base;
oracle_kernel* kernel;
unsigned char* data;
size_t data_bytes;
std::vector<RootArea> areas;

[[noreturn]] void usage(const char* what) {
  fprintf(stderr, "runner: %s\n", what);
  _exit(3);
}

void read_job(const char* path) {
  FILE* in = fopen(path, "r");
  if (!in) usage("cannot read the job");
  char* line = nullptr;
  size_t room = 0;
  while (getline(&line, &room, in) > 0) {
    std::vector<std::string> words;
    for (char* word = strtok(line, "\t\n"); word; word = strtok(nullptr, "\t\n")) words.push_back(word);
    if (words.empty()) continue;
    const std::string& what = words[0];
    auto number = [&](size_t i) { return i < words.size() ? strtoull(words[i].c_str(), nullptr, 10) : 0ull; };
    if (what == "case") job.case_file = words[1];
    else if (what == "output") job.output = words[1];
    else if (what == "report") job.report = words[1];
    else if (what == "grid") for (int i = 0; i < 3; i++) job.grid[i] = (unsigned)number(1 + i);
    else if (what == "block") for (int i = 0; i < 3; i++) job.block[i] = (unsigned)number(1 + i);
    else if (what == "dynamic") job.dynamic_bytes = (unsigned)number(1);
    else if (what == "schedule") {
      job.schedule = words[1] == "contract" ? CONTRACT : words[1] == "reversed" ? REVERSED : SEEDED;
      job.seed = number(2);
    } else if (what == "fill") job.fill = (int)number(1);
    else if (what == "moved") set_movement(words[1].c_str(), number(2));
    else if (what == "check") { job.check = true; job.reserve = number(1); }
    else if (what == "root") job.roots.push_back({words[1], (size_t)number(2), (size_t)number(3)});
    else if (what == "pointer") {
      Job::Argument argument;
      argument.root = (int)number(1);
      argument.offset = strtoll(words[2].c_str(), nullptr, 10);
      job.arguments.push_back(argument);
    } else if (what == "texture") {
      Job::Argument argument;
      argument.root = (int)number(1);
      argument.offset = strtoll(words[2].c_str(), nullptr, 10);
      argument.texture = true;
      for (int i = 0; i < 10; i++) argument.numbers[i] = (int)number(3 + i);
      job.arguments.push_back(argument);
    } else if (what == "raw") {
      Job::Argument argument;
      if (words.size() > 1)
        for (size_t i = 0; i + 1 < words[1].size(); i += 2) argument.raw.push_back((unsigned char)strtoul(words[1].substr(i, 2).c_str(), nullptr, 16));
      job.arguments.push_back(argument);
    } else if (what == "symbol") job.symbols.push_back({words[1], (int)number(2)});
    else if (what == "shared") job.shared.push_back({(size_t)number(1), (size_t)number(2), (size_t)number(3)});
    else usage("unknown directive");
  }
  fclose(in);
}

void load_library(const char* path) {
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) usage(dlerror());
  kernel = (oracle_kernel*)dlsym(handle, "oracle_kernel_table");
  if (!kernel) usage("no kernel table");
  struct link_map* map = nullptr;
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  library_base = (uintptr_t)map->l_addr;
}

void describe(const char* path) {
  FILE* out = fopen(path, "w");
  if (!out) usage("cannot write the description");
  for (int i = 0; i < kernel->parameters; i++) fprintf(out, "parameter\t%zu\t%s\n", kernel->sizes[i], kernel->types[i]);
  for (int i = 0; i < kernel->symbol_count; i++)
    if (kernel->symbols[i].address) fprintf(out, "symbol\t%zu\t%s\n", kernel->symbols[i].bytes, kernel->symbols[i].name);
  fprintf(out, "synchronises\t%d\n", kernel->synchronises);
  fclose(out);
}

void map_case() {
  int file = open(job.case_file.c_str(), O_RDONLY);
  struct stat info;
  if (file < 0 || fstat(file, &info)) usage("cannot read the case");
  data_bytes = (size_t)info.st_size;
  if (data_bytes) {
    void* found = mmap(nullptr, data_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    if (found == MAP_FAILED) usage("cannot map the case");
    data = (unsigned char*)found;
  }
  close(file);
  for (const Job::Root& root : job.roots) {
    RootArea area = {};
    snprintf(area.name, sizeof area.name, "%s", root.name.c_str());
    area.bytes = root.bytes;
    area.base = data + root.start;
    area.mapping = area.base;
    area.mapping_bytes = root.bytes;
    if (job.check) {
      // In the middle of a large reservation, so that accesses beyond the root are seen instead of crashing. What is
      // read there is zero: index data that a root still lacks must not send the kernel to wild addresses.
      for (uint64_t room = job.reserve;; room /= 2) {
        size_t inside = (root.bytes + 4095) & ~(size_t)4095;
        size_t total = 2 * room + inside;
        void* found = mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (found == MAP_FAILED) {
          if (room < 1 << 20) stop_run("out_of_memory", "no address space around a root", 0);
          continue;
        }
        area.mapping = (unsigned char*)found;
        area.mapping_bytes = total;
        area.base = area.mapping + room;
        break;
      }
      memcpy(area.base, data + root.start, root.bytes);
    }
    areas.push_back(area);
    if (job.check) watch_root(area, false);
  }
}

const oracle_symbol* find_symbol(const std::string& name) {
  for (int i = 0; i < kernel->symbol_count; i++)
    if (name == kernel->symbols[i].name) return &kernel->symbols[i];
  return nullptr;
}

void set_symbols() {
  for (const Job::Symbol& symbol : job.symbols) {
    const oracle_symbol* found = find_symbol(symbol.name);
    if (!found) stop_run("bad_launch", ("no symbol " + symbol.name).c_str(), 0);
    const Job::Root& root = job.roots[symbol.root];
    size_t bytes = root.bytes < found->bytes ? root.bytes : found->bytes;
    memcpy(found->address, data + root.start, bytes);
    if (job.check) {
      RootArea area = {};
      snprintf(area.name, sizeof area.name, "%s", root.name.c_str());
      area.base = area.mapping = (unsigned char*)found->address;
      area.bytes = area.mapping_bytes = found->bytes;
      watch_root(area, true);
    }
  }
}

void collect_results() {
  if (job.check)
    for (size_t i = 0; i < job.roots.size(); i++) {
      const Job::Root& root = job.roots[i];
      size_t before = root.start < GUARD ? root.start : GUARD;
      size_t after = data_bytes - root.start - root.bytes;
      if (after > GUARD) after = GUARD;
      // Around the root only what was written (all else is zero there).
      for (size_t at = 0; at < before + root.bytes + after; at++) {
        const unsigned char value = (areas[i].base - before)[at];
        if (value || (at >= before && at < before + root.bytes)) data[root.start - before + at] = value;
      }
    }
  for (const Job::Symbol& symbol : job.symbols) {
    const oracle_symbol* found = find_symbol(symbol.name);
    const Job::Root& root = job.roots[symbol.root];
    memcpy(data + root.start, found->address, root.bytes < found->bytes ? root.bytes : found->bytes);
  }
}

void write_output() {
  int file = open(job.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) usage("cannot write the output");
  for (size_t done = 0; done < data_bytes;) {
    ssize_t step = write(file, data + done, data_bytes - done);
    if (step <= 0) usage("cannot write the output");
    done += (size_t)step;
  }
  close(file);
}

void finish(const char* status, const char* message, uintptr_t counter) {
  finish_accesses();
  fprintf(report, "status\t%s\t%lx\t%s\n", status, counter ? (unsigned long)(counter - library_base) : 0ul, message);
  write_events(report);
  write_findings(report, library_base);
  if (job.check) write_extents(report);
  write_arcs(report);
  if (kernel && kernel->outcome_count) {
    fprintf(report, "arcs\t0\t0");
    for (int i = 0; i < kernel->outcome_count; i++) fprintf(report, "\t%llu", (unsigned long long)kernel->outcomes[i]);
    fprintf(report, "\n");
  }
  fclose(report);
}

void on_signal(int number, siginfo_t* info, void* context) {
  uintptr_t counter = 0;
#if defined(__x86_64__)
  counter = (uintptr_t)((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  counter = (uintptr_t)((ucontext_t*)context)->uc_mcontext.pc;
#endif
  char text[200];
  if (number == SIGFPE) snprintf(text, sizeof text, "integer division by zero or overflow (SIGFPE)");
  else if (number == SIGABRT) snprintf(text, sizeof text, "the kernel called abort or failed an assertion (SIGABRT)");
  else if (number == SIGILL) snprintf(text, sizeof text, "illegal instruction (SIGILL)");
  else if ((uintptr_t)info->si_addr < 65536) snprintf(text, sizeof text, "null pointer access at address %p (%s)", info->si_addr, strsignal(number));
  else snprintf(text, sizeof text, "invalid memory access at address %p (%s)", info->si_addr, strsignal(number));
  stop_run("crashed", text, counter);
}

void catch_signals() {
  static unsigned char stack[64 * 1024];
  stack_t alternate = {};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  sigaltstack(&alternate, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(number, &action, nullptr);
}
}  // namespace

void stop_run(const char* status, const char* message, uintptr_t counter) {
  static bool stopping;
  if (stopping) _exit(4);
  stopping = true;
  access_checks = false;
  finish(status, message, counter);
  _exit(0);
}

void poison_shared(void) {
  for (const Job::Shared& variable : job.shared) memset((void*)(library_base + variable.address), job.fill, variable.bytes);
  memset(kernel->dynamic_shared, job.fill, job.dynamic_bytes);
}

extern "C" void oracle_trap(const char* what, int line) {
  char text[200];
  snprintf(text, sizeof text, "%s (line %d)", what, line);
  stop_run("crashed", text, 0);
}

int main(int count, char** words) {
  if (count == 4 && !strcmp(words[2], "describe")) {
    load_library(words[1]);
    describe(words[3]);
    fflush(nullptr);
    _exit(0);
  }
  if (count != 3) usage("wrong arguments");
  read_job(words[2]);
  report = fopen(job.report.c_str(), "w");
  if (!report) usage("cannot write the report");
  load_library(words[1]);
  const unsigned long blocks = (unsigned long)job.grid[0] * job.grid[1] * job.grid[2];
  const unsigned long threads = (unsigned long)job.block[0] * job.block[1] * job.block[2];
  if (threads == 0 || threads > ORACLE_MAX_THREADS) stop_run("bad_launch", "a block must have 1 to 1024 threads", 0);
  if (job.dynamic_bytes > ORACLE_DYNAMIC_LIMIT) stop_run("bad_launch", "more than 228 KiB of dynamic shared memory", 0);
  if ((int)job.arguments.size() != kernel->parameters) stop_run("bad_launch", "wrong number of arguments", 0);
  map_case();
  set_symbols();
  std::vector<std::vector<unsigned char>> values;
  std::vector<void*> arguments;
  std::vector<oracle_texture> textures(job.arguments.size());
  for (size_t i = 0; i < job.arguments.size(); i++) {
    const Job::Argument& argument = job.arguments[i];
    std::vector<unsigned char> value(kernel->sizes[i] + 64);
    if (argument.root >= 0) {
      unsigned char* pointer = areas[argument.root].base + argument.offset;
      if (kernel->sizes[i] != sizeof pointer) stop_run("bad_launch", "a root is given for a parameter that is not a pointer", 0);
      if (argument.texture) {
        const int* n = argument.numbers;
        textures[i] = {pointer, {n[0], n[1], n[2]}, {n[3], n[4], n[5]}, n[6], n[7], n[8], n[9]};
        pointer = (unsigned char*)&textures[i];
      }
      memcpy(value.data(), &pointer, sizeof pointer);
    } else {
      if (argument.raw.size() != kernel->sizes[i]) stop_run("bad_launch", "an argument has the wrong size", 0);
      memcpy(value.data(), argument.raw.data(), argument.raw.size());
    }
    values.push_back(std::move(value));
  }
  for (auto& value : values) arguments.push_back((void*)(((uintptr_t)value.data() + 31) & ~(uintptr_t)31));
  for (size_t i = 0; i < values.size(); i++) memmove(arguments[i], values[i].data(), kernel->sizes[i]);
  watch_dynamic(kernel->dynamic_shared, ORACLE_DYNAMIC_LIMIT);
  for (const Job::Shared& variable : job.shared)
    watch_shared((unsigned char*)(library_base + variable.address), variable.bytes, variable.apart);
  oracle_dynamic_bytes = job.dynamic_bytes;
  oracle_grid_extent = {job.grid[0], job.grid[1], job.grid[2]};
  oracle_block_extent = {job.block[0], job.block[1], job.block[2]};
  set_schedule(job.schedule, job.seed, blocks, (unsigned)threads);
  catch_signals();
  bool good = true;
  if (blocks) {
    if (kernel->plain && !job.check) {
      kernel->plain(arguments.data());
    } else {
      access_checks = job.check;
      good = run_blocks(kernel->thread, arguments.data(), blocks, (unsigned)threads);
      access_checks = false;
    }
  }
  if (!good) stop_run("deadlock", run_failure(), 0);
  collect_results();
  write_output();
  finish(job.check && any_out_of_bounds() ? "out_of_bounds" : "ok", "", 0);
  _exit(0);
}
