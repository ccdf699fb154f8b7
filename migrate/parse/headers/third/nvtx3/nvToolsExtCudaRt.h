#pragma once
#include <__nvtx.h>
