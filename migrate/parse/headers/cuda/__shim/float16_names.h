// What half and bfloat16 share, and their short names.
#pragma once

HD float2 __half22float2(__half2);
HD float2 __bfloat1622float2(__nv_bfloat162);
HD float2 __bfloat16x2_shim(__nv_bfloat162);
HD __half __low2half_(__half2);
HD __half2 make_half2(float, float);
HD __nv_bfloat162 __bfloat1622bfloat162_(__nv_bfloat16);
HD __nv_bfloat162 __halves2bfloat162_(__nv_bfloat16, __nv_bfloat16);
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
typedef __nv_bfloat16 __bfloat16_shim;
