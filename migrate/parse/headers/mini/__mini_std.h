// The C and C++ standard libraries as far as CUDA sources use them: enough to type host code, exact where kernels look.
#ifndef MINISTD_H
#define MINISTD_H

#include "__std/c_types.h"
#include "__std/c_constants.h"
#include "__std/c_library.h"
#include "__std/math.h"
#include "__std/c_names.h"
#include "__std/type_traits.h"
#include "__std/utility.h"
#include "__std/iterator.h"
#include "__std/containers.h"
#include "__std/functional.h"
#include "__std/adaptors.h"
#include "__std/strings.h"
#include "__std/streams.h"
#include "__std/exceptions.h"
#include "__std/limits.h"
#include "__std/chrono.h"
#include "__std/random.h"
#include "__std/complex.h"
#include "__std/memory.h"
#include "__std/threads.h"
#include "__std/algorithm.h"

#include <typeinfo>

#undef va_list
typedef __builtin_va_list va_list;

#endif
