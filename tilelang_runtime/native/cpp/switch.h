// A context switch between stacks: callee-saved registers only. x86-64 and aarch64 in assembly, else (or with
// TILELANG_PORTABLE_SWITCH) ucontext.
#pragma once
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) && !defined(TILELANG_PORTABLE_SWITCH)
extern "C" void tilelang_switch(void** from, void* to) __attribute__((visibility("hidden")));
asm(R"(
.text
.hidden tilelang_switch
.globl tilelang_switch
.type tilelang_switch, @function
tilelang_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size tilelang_switch, .-tilelang_switch
)");
struct Stack { void* top = nullptr; };
static inline void prepare(Stack* stack, unsigned char* base, size_t bytes, void (*entry)()) {
  void** top = (void**)((uintptr_t)(base + bytes) & ~(uintptr_t)15);
  *--top = nullptr;         // so that the entry sees an aligned stack
  *--top = (void*)entry;    // popped by ret
  for (int i = 0; i < 6; i++) *--top = nullptr;
  stack->top = top;
}
static inline void change(Stack* from, Stack* to) { tilelang_switch(&from->top, to->top); }

#elif defined(__aarch64__) && !defined(TILELANG_PORTABLE_SWITCH)
extern "C" void tilelang_switch(void** from, void* to) __attribute__((visibility("hidden")));
asm(R"(
.text
.hidden tilelang_switch
.globl tilelang_switch
.type tilelang_switch, %function
tilelang_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size tilelang_switch, .-tilelang_switch
)");
struct Stack { void* top = nullptr; };
static inline void prepare(Stack* stack, unsigned char* base, size_t bytes, void (*entry)()) {
  void** top = (void**)((uintptr_t)(base + bytes) & ~(uintptr_t)15) - 20;
  for (int i = 0; i < 20; i++) top[i] = nullptr;
  top[11] = (void*)entry;  // x30
  stack->top = top;
}
static inline void change(Stack* from, Stack* to) { tilelang_switch(&from->top, to->top); }

#else
#include <ucontext.h>
struct Stack { ucontext_t context; };
static inline void prepare(Stack* stack, unsigned char* base, size_t bytes, void (*entry)()) {
  getcontext(&stack->context);
  stack->context.uc_stack.ss_sp = base;
  stack->context.uc_stack.ss_size = bytes;
  stack->context.uc_link = nullptr;
  makecontext(&stack->context, entry, 0);
}
static inline void change(Stack* from, Stack* to) { swapcontext(&from->context, &to->context); }
#endif
