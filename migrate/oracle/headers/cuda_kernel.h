// Everything a kernel's original text may take for granted. Included first in every oracle unit.
#pragma once
#include "oracle_abi.h"
#include "cuda_std.h"
#include "cuda_vectors.h"
#include "cuda_language.h"
#include "cuda_math.h"
#include "cuda_integers.h"
#include "cuda_warp.h"
#include "cuda_atomics.h"
#if defined(ORACLE_USES_HALF) || defined(ORACLE_USES_FP8)
#include "cuda_half.h"
#endif
#ifdef ORACLE_USES_FP8
#include "cuda_fp8.h"
#endif
#ifdef ORACLE_USES_COMPLEX
#include "cuda_complex.h"
#endif
#ifdef ORACLE_USES_GROUPS
#include "cuda_groups.h"
#endif
#ifdef ORACLE_USES_TEXTURES
#include "cuda_textures.h"
#endif
// Before the original's text, so that its macros (K, N, T ...) cannot change these templates.
#include "oracle_export.h"
