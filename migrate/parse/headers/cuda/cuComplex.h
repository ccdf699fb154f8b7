#pragma once
#include <__cushim.h>
