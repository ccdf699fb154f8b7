// Intrinsics on packed words.
#pragma once

DV unsigned __vadd4(unsigned, unsigned);
DV unsigned __vsub4(unsigned, unsigned);
DV unsigned __vsubss4(unsigned, unsigned);
DV unsigned __vaddss4(unsigned, unsigned);
DV unsigned __vcmpeq4(unsigned, unsigned);
DV unsigned __vcmpgtu4(unsigned, unsigned);
DV unsigned __vmaxu4(unsigned, unsigned);
DV unsigned __vminu4(unsigned, unsigned);
DV unsigned __vabsdiffu4(unsigned, unsigned);
DV unsigned __vsadu4(unsigned, unsigned);
DV unsigned __vabsdiffs4(unsigned, unsigned);
DV unsigned __vseteq4(unsigned, unsigned);
DV unsigned __vmaxs2(unsigned, unsigned);
DV unsigned __vadd2(unsigned, unsigned);
DV unsigned __vimax3_s32(int, int, int);
DV unsigned __vcmpne4(unsigned, unsigned);
DV unsigned __vcmpltu4(unsigned, unsigned);
DV unsigned __vcmpgeu4(unsigned, unsigned);
DV unsigned __vmaxs4(unsigned, unsigned);
DV unsigned __vmins4(unsigned, unsigned);
DV unsigned __vcmpgts4(unsigned, unsigned);
DV void *__nv_ptx_builtin_ocg_nop();
DV size_t __nv_cvta_generic_to_shared_impl(const void *);
