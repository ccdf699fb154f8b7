#pragma once
#include <__cub.h>
