#pragma once
#include <__mini_std.h>
