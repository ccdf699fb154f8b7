// Clocks, address spaces, loads and stores with cache hints.
#pragma once

DV long long clock64();
DV long clock();
__host__ clock_t clock();
DV unsigned long long __globaltimer();
DV unsigned __isShared(const void *);
DV unsigned __isGlobal(const void *);
DV size_t __cvta_generic_to_shared(const void *);
DV size_t __cvta_generic_to_global(const void *);
DV void *__cvta_shared_to_generic(size_t);
template <class T> DV T __ldg(const T *);
template <class T> DV T __ldcg(const T *);
template <class T> DV T __ldca(const T *);
template <class T> DV T __ldcs(const T *);
template <class T> DV T __ldlu(const T *);
template <class T> DV T __ldcv(const T *);
template <class T> DV void __stcg(T *, T);
template <class T> DV void __stcs(T *, T);
template <class T> DV void __stwb(T *, T);
template <class T> DV void __stwt(T *, T);
