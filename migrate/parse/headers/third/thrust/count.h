#pragma once
#include <__thrust.h>
