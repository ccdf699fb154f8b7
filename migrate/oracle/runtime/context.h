// Switching between the stacks of the threads of a block. Three ways: x86-64 inline assembly, aarch64 assembly, ucontext.
#pragma once
#include <stddef.h>
#include <stdint.h>

#if defined(ORACLE_UCONTEXT) || !(defined(__x86_64__) || defined(__aarch64__))
#include <ucontext.h>
struct Context {
  ucontext_t state;
};
static inline void prepare_context(Context* context, unsigned char* stack, size_t bytes, void (*entry)()) {
  getcontext(&context->state);
  context->state.uc_stack.ss_sp = stack;
  context->state.uc_stack.ss_size = bytes;
  context->state.uc_link = nullptr;
  makecontext(&context->state, entry, 0);
}
#define SWITCH_CONTEXT(from, to) swapcontext(&(from)->state, &(to)->state)

#elif defined(__x86_64__)
struct Context {
  void* stack_pointer;
};
static inline void prepare_context(Context* context, unsigned char* stack, size_t bytes, void (*entry)()) {
  // At entry the stack must be as after a call: 16-byte aligned plus 8.
  void** top = (void**)(((uintptr_t)stack + bytes) & ~(uintptr_t)15) - 1;
  *--top = (void*)entry;
  context->stack_pointer = top;
}
#define STACK_TOP(context) (context).stack_pointer
// Without call and return: the compiler saves what is live at this place, and the return-address predictor stays right.
#define SWITCH_CONTEXT(from, to)                                                                                       \
  do {                                                                                                                 \
    Context* from_ = (from);                                                                                           \
    Context* to_ = (to);                                                                                               \
    asm volatile(                                                                                                      \
        "pushq %%rbp\n leaq 1f(%%rip), %%rax\n pushq %%rax\n movq %%rsp, (%0)\n movq (%1), %%rsp\n popq %%rax\n"       \
        "jmp *%%rax\n1: popq %%rbp\n"                                                                                  \
        : "+D"(from_), "+S"(to_)                                                                                       \
        :                                                                                                              \
        : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0",    \
          "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",  \
          "xmm14", "xmm15");                                                                                           \
  } while (0)

#else
struct Context {
  void* stack_pointer;
};
extern "C" void oracle_switch(void** save, void* load);
asm(".text\n.global oracle_switch\n.type oracle_switch, %function\noracle_switch:\n"
    " sub sp, sp, #160\n stp x19, x20, [sp]\n stp x21, x22, [sp, #16]\n stp x23, x24, [sp, #32]\n"
    " stp x25, x26, [sp, #48]\n stp x27, x28, [sp, #64]\n stp x29, x30, [sp, #80]\n stp d8, d9, [sp, #96]\n"
    " stp d10, d11, [sp, #112]\n stp d12, d13, [sp, #128]\n stp d14, d15, [sp, #144]\n"
    " mov x9, sp\n str x9, [x0]\n mov sp, x1\n"
    " ldp x19, x20, [sp]\n ldp x21, x22, [sp, #16]\n ldp x23, x24, [sp, #32]\n ldp x25, x26, [sp, #48]\n"
    " ldp x27, x28, [sp, #64]\n ldp x29, x30, [sp, #80]\n ldp d8, d9, [sp, #96]\n ldp d10, d11, [sp, #112]\n"
    " ldp d12, d13, [sp, #128]\n ldp d14, d15, [sp, #144]\n add sp, sp, #160\n ret\n"
    ".size oracle_switch, .-oracle_switch\n");
static inline void prepare_context(Context* context, unsigned char* stack, size_t bytes, void (*entry)()) {
  uint64_t* frame = (uint64_t*)(((uintptr_t)stack + bytes) & ~(uintptr_t)15) - 20;
  for (int i = 0; i < 20; i++) frame[i] = 0;
  frame[11] = (uint64_t)entry;  // x30: where `ret` goes
  context->stack_pointer = frame;
}
#define SWITCH_CONTEXT(from, to) oracle_switch(&(from)->stack_pointer, (to)->stack_pointer)
#endif
