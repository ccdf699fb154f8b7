// cuComplex.
#pragma once

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

HD cuDoubleComplex make_cuDoubleComplex(double, double);
HD double cuCreal(cuDoubleComplex);
HD double cuCimag(cuDoubleComplex);
HD cuDoubleComplex cuConj(cuDoubleComplex);
HD double cuCabs(cuDoubleComplex);
HD cuDoubleComplex cuCadd(cuDoubleComplex, cuDoubleComplex);
HD cuDoubleComplex cuCsub(cuDoubleComplex, cuDoubleComplex);
HD cuDoubleComplex cuCmul(cuDoubleComplex, cuDoubleComplex);
HD cuDoubleComplex cuCdiv(cuDoubleComplex, cuDoubleComplex);
HD cuDoubleComplex cuCfma(cuDoubleComplex, cuDoubleComplex, cuDoubleComplex);
HD cuFloatComplex make_cuFloatComplex(float, float);
HD float cuCrealf(cuFloatComplex);
HD float cuCimagf(cuFloatComplex);
HD cuFloatComplex cuConjf(cuFloatComplex);
HD float cuCabsf(cuFloatComplex);
HD cuFloatComplex cuCaddf(cuFloatComplex, cuFloatComplex);
HD cuFloatComplex cuCsubf(cuFloatComplex, cuFloatComplex);
HD cuFloatComplex cuCmulf(cuFloatComplex, cuFloatComplex);
HD cuFloatComplex cuCdivf(cuFloatComplex, cuFloatComplex);
HD cuFloatComplex cuCfmaf(cuFloatComplex, cuFloatComplex, cuFloatComplex);
HD cuComplex make_cuComplex(float, float);
