#pragma once
#include <__torch.h>
