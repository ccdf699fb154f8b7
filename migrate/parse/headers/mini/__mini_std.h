#ifndef MINISTD_H
#define MINISTD_H
typedef __SIZE_TYPE__ size_t; typedef __PTRDIFF_TYPE__ ptrdiff_t; typedef long ssize_t; typedef long off_t; typedef decltype(nullptr) nullptr_t;
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t; typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; typedef unsigned long uint64_t; typedef long intptr_t; typedef unsigned long uintptr_t; typedef long intmax_t; typedef unsigned long uintmax_t; typedef unsigned char u_char; typedef unsigned int uint; typedef unsigned long ulong; typedef unsigned short ushort; typedef uint8_t uint_fast8_t; typedef int int_fast32_t; typedef unsigned uint_least32_t; typedef unsigned long uint_fast32_t; typedef unsigned long uint_fast64_t; typedef long int_fast64_t; typedef uint8_t u_int8_t; typedef uint16_t u_int16_t; typedef uint32_t u_int32_t; typedef uint64_t u_int64_t;
#define NULL __null
#define offsetof(t,m) __builtin_offsetof(t,m)
#define INT8_MIN (-128)
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647-1)
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-INT64_MAX-1)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615UL
#define SIZE_MAX UINT64_MAX
#define UINT64_C(x) x##UL
#define INT64_C(x) x##L
#define UINT32_C(x) x##U
#define INT32_C(x) x
#define CHAR_BIT 8
#define CHAR_MAX 127
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647-1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-LONG_MAX-1)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-LLONG_MAX-1)
#define ULLONG_MAX 18446744073709551615ULL
#define FLT_MAX 3.40282347e+38F
#define FLT_MIN 1.17549435e-38F
#define FLT_EPSILON 1.19209290e-7F
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define FLT_DIG 6
#define DBL_DIG 15
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_2_SQRTPI 1.12837916709551257390
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_inf()
#define HUGE_VALF __builtin_inff()
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define EOF (-1)
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_MONOTONIC 1
#define CLOCK_REALTIME 0
#define FLT_RADIX 2
#define PRIu64 "lu"
#define PRId64 "ld"
#define PRIx64 "lx"
#define RESTRICT_SHIM
#define O_RDONLY 0
#define va_list __builtin_va_list
#define va_start __builtin_va_start
#define va_end __builtin_va_end
#define va_arg __builtin_va_arg
struct FILE_s; typedef FILE_s FILE; extern FILE*stdin,*stdout,*stderr; extern int errno;
struct timeval { long tv_sec,tv_usec; }; struct timespec { long tv_sec,tv_nsec; }; struct timezone{int a,b;}; typedef long time_t; typedef long clock_t; struct tm { int tm_sec,tm_min,tm_hour,tm_mday,tm_mon,tm_year,tm_wday,tm_yday,tm_isdst; }; struct stat { long st_size; int st_mode; }; struct rusage{ timeval ru_utime, ru_stime; };
typedef struct { int quot, rem; } div_t;
int printf(const char*,...); int fprintf(FILE*,const char*,...); int sprintf(char*,const char*,...); int snprintf(char*,size_t,const char*,...); int puts(const char*); int putchar(int); int scanf(const char*,...); int fscanf(FILE*,const char*,...); int sscanf(const char*,const char*,...); FILE*fopen(const char*,const char*); int fclose(FILE*); size_t fread(void*,size_t,size_t,FILE*); size_t fwrite(const void*,size_t,size_t,FILE*); int fseek(FILE*,long,int); long ftell(FILE*); int fflush(FILE*); char*fgets(char*,int,FILE*); int fgetc(FILE*); int getc(FILE*); int fputc(int,FILE*); int fputs(const char*,FILE*); int feof(FILE*); void rewind(FILE*); void perror(const char*); int getchar(); int ferror(FILE*); int vprintf(const char*,va_list); int vfprintf(FILE*,const char*,va_list); int vsnprintf(char*,size_t,const char*,va_list); int remove(const char*); int setvbuf(FILE*,char*,int,size_t); long getline(char**,size_t*,FILE*);
void*malloc(size_t); void*calloc(size_t,size_t); void*realloc(void*,size_t); void free(void*); void*aligned_alloc(size_t,size_t); int posix_memalign(void**,size_t,size_t); void exit(int); void abort(); int atexit(void(*)()); int atoi(const char*); long atol(const char*); long long atoll(const char*); double atof(const char*); long strtol(const char*,char**,int); unsigned long strtoul(const char*,char**,int); unsigned long long strtoull(const char*,char**,int); long long strtoll(const char*,char**,int); double strtod(const char*,char**); float strtof(const char*,char**); int rand(); void srand(unsigned); double drand48(); long lrand48(); void srand48(long); long random(); void srandom(unsigned); void qsort(void*,size_t,size_t,int(*)(const void*,const void*)); char*getenv(const char*); int setenv(const char*,const char*,int); int system(const char*); int rand_r(unsigned*); int getopt(int,char*const*,const char*); extern char*optarg; extern int optind,opterr,optopt; struct option{const char*name;int has_arg;int*flag;int val;}; int getopt_long(int,char*const*,const char*,const option*,int*);
int isdigit(int); int isspace(int); int isalpha(int); int tolower(int); int toupper(int); int isalnum(int);
void*memcpy(void*,const void*,size_t); void*memset(void*,int,size_t); void*memmove(void*,const void*,size_t); int memcmp(const void*,const void*,size_t); size_t strlen(const char*); int strcmp(const char*,const char*); int strncmp(const char*,const char*,size_t); int strcasecmp(const char*,const char*); char*strcpy(char*,const char*); char*strncpy(char*,const char*,size_t); char*strcat(char*,const char*); char*strncat(char*,const char*,size_t); char*strchr(const char*,int); char*strrchr(const char*,int); char*strstr(const char*,const char*); char*strtok(char*,const char*); char*strdup(const char*); char*strerror(int); void bzero(void*,size_t); char*strtok_r(char*,const char*,char**); size_t strcspn(const char*,const char*);
int gettimeofday(timeval*,void*); int clock_gettime(int,timespec*); time_t time(time_t*); double difftime(time_t,time_t); tm*localtime(const time_t*); size_t strftime(char*,size_t,const char*,const tm*); char*ctime(const time_t*); unsigned sleep(unsigned); int usleep(unsigned); int access(const char*,int); int close(int); int open(const char*,int,...); long read(int,void*,size_t); long write(int,const void*,size_t); int stat(const char*,struct stat*); int getpid(); int gethostname(char*,size_t); int fstat(int,struct stat*); int mkdir(const char*,int); void* mmap(void*,size_t,int,int,int,long); int munmap(void*,size_t); int unlink(const char*); int omp_get_max_threads(); int omp_get_thread_num(); int omp_get_num_threads(); void omp_set_num_threads(int); double omp_get_wtime(); int omp_get_num_procs(); int getrusage(int,rusage*);
int abs(int); long abs(long); long long abs(long long); double abs(double); float abs(float); long labs(long); long long llabs(long long);
template<bool B,class T=void> struct __eif{}; template<class T> struct __eif<true,T>{typedef T type;}; template<class T> struct __isint{ static const bool value=__is_integral(T); };

double sin(double); float sin(float); float sinf(float); template<class T> typename __eif<__is_integral(T),double>::type sin(T);
double cos(double); float cos(float); float cosf(float); template<class T> typename __eif<__is_integral(T),double>::type cos(T);
double tan(double); float tan(float); float tanf(float); template<class T> typename __eif<__is_integral(T),double>::type tan(T);
double asin(double); float asin(float); float asinf(float); template<class T> typename __eif<__is_integral(T),double>::type asin(T);
double acos(double); float acos(float); float acosf(float); template<class T> typename __eif<__is_integral(T),double>::type acos(T);
double atan(double); float atan(float); float atanf(float); template<class T> typename __eif<__is_integral(T),double>::type atan(T);
double sinh(double); float sinh(float); float sinhf(float); template<class T> typename __eif<__is_integral(T),double>::type sinh(T);
double cosh(double); float cosh(float); float coshf(float); template<class T> typename __eif<__is_integral(T),double>::type cosh(T);
double tanh(double); float tanh(float); float tanhf(float); template<class T> typename __eif<__is_integral(T),double>::type tanh(T);
double asinh(double); float asinh(float); float asinhf(float); template<class T> typename __eif<__is_integral(T),double>::type asinh(T);
double acosh(double); float acosh(float); float acoshf(float); template<class T> typename __eif<__is_integral(T),double>::type acosh(T);
double atanh(double); float atanh(float); float atanhf(float); template<class T> typename __eif<__is_integral(T),double>::type atanh(T);
double exp(double); float exp(float); float expf(float); template<class T> typename __eif<__is_integral(T),double>::type exp(T);
double exp2(double); float exp2(float); float exp2f(float); template<class T> typename __eif<__is_integral(T),double>::type exp2(T);
double expm1(double); float expm1(float); float expm1f(float); template<class T> typename __eif<__is_integral(T),double>::type expm1(T);
double log(double); float log(float); float logf(float); template<class T> typename __eif<__is_integral(T),double>::type log(T);
double log2(double); float log2(float); float log2f(float); template<class T> typename __eif<__is_integral(T),double>::type log2(T);
double log10(double); float log10(float); float log10f(float); template<class T> typename __eif<__is_integral(T),double>::type log10(T);
double log1p(double); float log1p(float); float log1pf(float); template<class T> typename __eif<__is_integral(T),double>::type log1p(T);
double logb(double); float logb(float); float logbf(float); template<class T> typename __eif<__is_integral(T),double>::type logb(T);
double sqrt(double); float sqrt(float); float sqrtf(float); template<class T> typename __eif<__is_integral(T),double>::type sqrt(T);
double cbrt(double); float cbrt(float); float cbrtf(float); template<class T> typename __eif<__is_integral(T),double>::type cbrt(T);
double ceil(double); float ceil(float); float ceilf(float); template<class T> typename __eif<__is_integral(T),double>::type ceil(T);
double floor(double); float floor(float); float floorf(float); template<class T> typename __eif<__is_integral(T),double>::type floor(T);
double trunc(double); float trunc(float); float truncf(float); template<class T> typename __eif<__is_integral(T),double>::type trunc(T);
double round(double); float round(float); float roundf(float); template<class T> typename __eif<__is_integral(T),double>::type round(T);
double rint(double); float rint(float); float rintf(float); template<class T> typename __eif<__is_integral(T),double>::type rint(T);
double nearbyint(double); float nearbyint(float); float nearbyintf(float); template<class T> typename __eif<__is_integral(T),double>::type nearbyint(T);
double fabs(double); float fabs(float); float fabsf(float); template<class T> typename __eif<__is_integral(T),double>::type fabs(T);
double erf(double); float erf(float); float erff(float); template<class T> typename __eif<__is_integral(T),double>::type erf(T);
double erfc(double); float erfc(float); float erfcf(float); template<class T> typename __eif<__is_integral(T),double>::type erfc(T);
double tgamma(double); float tgamma(float); float tgammaf(float); template<class T> typename __eif<__is_integral(T),double>::type tgamma(T);
double lgamma(double); float lgamma(float); float lgammaf(float); template<class T> typename __eif<__is_integral(T),double>::type lgamma(T);
double j0(double); float j0(float); float j0f(float); template<class T> typename __eif<__is_integral(T),double>::type j0(T);
double j1(double); float j1(float); float j1f(float); template<class T> typename __eif<__is_integral(T),double>::type j1(T);
double y0(double); float y0(float); float y0f(float); template<class T> typename __eif<__is_integral(T),double>::type y0(T);
double y1(double); float y1(float); float y1f(float); template<class T> typename __eif<__is_integral(T),double>::type y1(T);
double pow(double,double); float pow(float,float); float powf(float,float); template<class T,class U> typename __eif<(__is_arithmetic(T)&&__is_arithmetic(U)&&!(__is_same(T,U)&&__is_floating_point(T))),double>::type pow(T,U);
double atan2(double,double); float atan2(float,float); float atan2f(float,float); template<class T,class U> typename __eif<(__is_arithmetic(T)&&__is_arithmetic(U)&&!(__is_same(T,U)&&__is_floating_point(T))),double>::type atan2(T,U);
double fmod(double,double); float fmod(float,float); float fmodf(float,float); template<class T,class U> typename __eif<(__is_arithmetic(T)&&__is_arithmetic(U)&&!(__is_same(T,U)&&__is_floating_point(T))),double>::type fmod(T,U);
double remainder(double,double); float remainder(float,float); float remainderf(float,float); template<class T,class U> typename __eif<(__is_arithmetic(T)&&__is_arithmetic(U)&&!(__is_same(T,U)&&__is_floating_point(T))),double>::type remainder(T,U);
double hypot(double,double); float hypot(float,float); float hypotf(float,float); template<class T,class U> typename __eif<(__is_arithmetic(T)&&__is_arithmetic(U)&&!(__is_same(T,U)&&__is_floating_point(T))),double>::type hypot(T,U);
double fmin(double,double); float fmin(float,float); float fminf(float,float); template<class T,class U> typename __eif<(__is_arithmetic(T)&&__is_arithmetic(U)&&!(__is_same(T,U)&&__is_floating_point(T))),double>::type fmin(T,U);
double fmax(double,double); float fmax(float,float); float fmaxf(float,float); template<class T,class U> typename __eif<(__is_arithmetic(T)&&__is_arithmetic(U)&&!(__is_same(T,U)&&__is_floating_point(T))),double>::type fmax(T,U);
double fdim(double,double); float fdim(float,float); float fdimf(float,float); template<class T,class U> typename __eif<(__is_arithmetic(T)&&__is_arithmetic(U)&&!(__is_same(T,U)&&__is_floating_point(T))),double>::type fdim(T,U);
double copysign(double,double); float copysign(float,float); float copysignf(float,float); template<class T,class U> typename __eif<(__is_arithmetic(T)&&__is_arithmetic(U)&&!(__is_same(T,U)&&__is_floating_point(T))),double>::type copysign(T,U);
double nextafter(double,double); float nextafter(float,float); float nextafterf(float,float); template<class T,class U> typename __eif<(__is_arithmetic(T)&&__is_arithmetic(U)&&!(__is_same(T,U)&&__is_floating_point(T))),double>::type nextafter(T,U);
double fma(double,double,double); float fma(float,float,float); template<class T,class U,class V> typename __eif<(__is_arithmetic(T)&&__is_arithmetic(U)&&__is_arithmetic(V)&&!(__is_same(T,U)&&__is_same(U,V)&&__is_floating_point(T))),double>::type fma(T,U,V); float scalbn(float,int);
template<class T> typename __eif<__is_integral(T),double>::type ldexp(T,int); template<class T> typename __eif<__is_integral(T),double>::type scalbn(T,int); 
 float fmaf(float,float,float); double ldexp(double,int); float ldexp(float,int); float ldexpf(float,int); double frexp(double,int*); float frexp(float,int*); float frexpf(float,int*); double modf(double,double*); float modff(float,float*); float modf(float,float*); double scalbn(double,int); float scalbnf(float,int); int ilogb(double); int ilogbf(float); long lround(double); long lroundf(float); long long llround(double); long long llroundf(float); long lrint(double); long lrintf(float); long long llrint(double); long long llrintf(float); void sincos(double,double*,double*); void sincosf(float,float*,float*); void sincos(float,float*,float*); double nan(const char*); float nanf(const char*); double remquo(double,double,int*); double jn(int,double); double yn(int,double);
bool isnan(double); bool isnan(float); bool isinf(double); bool isinf(float); bool isfinite(double); bool isfinite(float); bool signbit(double); bool signbit(float);
template<class T> typename __eif<__is_integral(T),bool>::type isnan(T);
template<class T> typename __eif<__is_integral(T),bool>::type isinf(T);
template<class T> typename __eif<__is_integral(T),bool>::type isfinite(T);
template<class T> typename __eif<__is_integral(T),bool>::type signbit(T);
 bool isnormal(double); int __isnanf(float); int finite(double);
inline void* operator new(size_t,void*p) noexcept { return p; } inline void* operator new[](size_t,void*p) noexcept { return p; }
namespace std {
using ::size_t; using ::ptrdiff_t; using ::nullptr_t; using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::uintptr_t; using ::intptr_t; using ::FILE; using ::time_t; using ::clock_t; using ::tm;

using ::printf;
using ::fprintf;
using ::sprintf;
using ::snprintf;
using ::puts;
using ::fopen;
using ::fclose;
using ::fread;
using ::fwrite;
using ::fseek;
using ::ftell;
using ::fflush;
using ::fgets;
using ::malloc;
using ::calloc;
using ::realloc;
using ::free;
using ::exit;
using ::abort;
using ::atoi;
using ::atol;
using ::atof;
using ::strtol;
using ::strtoul;
using ::strtod;
using ::rand;
using ::srand;
using ::qsort;
using ::getenv;
using ::memcpy;
using ::memset;
using ::memmove;
using ::memcmp;
using ::strlen;
using ::strcmp;
using ::strncmp;
using ::strcpy;
using ::strncpy;
using ::strchr;
using ::strrchr;
using ::strstr;
using ::strtok;
using ::time;
using ::difftime;
using ::localtime;
using ::strftime;
using ::abs;
using ::labs;
using ::llabs;
using ::isdigit;
using ::isspace;
using ::isalpha;
using ::tolower;
using ::toupper;
using ::aligned_alloc;
using ::fma;
using ::ldexp;
using ::frexp;
using ::modf;
using ::scalbn;
using ::ilogb;
using ::lround;
using ::llround;
using ::lrint;
using ::llrint;
using ::nan;
using ::isnan;
using ::isinf;
using ::isfinite;
using ::signbit;
using ::isnormal;
using ::remquo;
using ::fscanf;
using ::sscanf;
using ::scanf;
using ::perror;
using ::feof;
using ::strcat;
using ::getchar;
using ::putchar;
using ::strtof;
using ::strtoull;
using ::strtoll;
using ::atoll;
using ::remove;
using ::fmaf;
using ::sin;
using ::cos;
using ::tan;
using ::asin;
using ::acos;
using ::atan;
using ::sinh;
using ::cosh;
using ::tanh;
using ::asinh;
using ::acosh;
using ::atanh;
using ::exp;
using ::exp2;
using ::expm1;
using ::log;
using ::log2;
using ::log10;
using ::log1p;
using ::logb;
using ::sqrt;
using ::cbrt;
using ::ceil;
using ::floor;
using ::trunc;
using ::round;
using ::rint;
using ::nearbyint;
using ::fabs;
using ::erf;
using ::erfc;
using ::tgamma;
using ::lgamma;
using ::j0;
using ::j1;
using ::y0;
using ::y1;
using ::pow;
using ::atan2;
using ::fmod;
using ::remainder;
using ::hypot;
using ::fmin;
using ::fmax;
using ::fdim;
using ::copysign;
using ::nextafter;
using ::sinf;
using ::cosf;
using ::tanf;
using ::asinf;
using ::acosf;
using ::atanf;
using ::sinhf;
using ::coshf;
using ::tanhf;
using ::asinhf;
using ::acoshf;
using ::atanhf;
using ::expf;
using ::exp2f;
using ::expm1f;
using ::logf;
using ::log2f;
using ::log10f;
using ::log1pf;
using ::logbf;
using ::sqrtf;
using ::cbrtf;
using ::ceilf;
using ::floorf;
using ::truncf;
using ::roundf;
using ::rintf;
using ::nearbyintf;
using ::fabsf;
using ::erff;
using ::erfcf;
using ::tgammaf;
using ::lgammaf;
using ::j0f;
using ::j1f;
using ::y0f;
using ::y1f;
using ::powf;
using ::atan2f;
using ::fmodf;
using ::remainderf;
using ::hypotf;
using ::fminf;
using ::fmaxf;
using ::fdimf;
using ::copysignf;
using ::nextafterf;

clock_t clock();
template<class T,T v> struct integral_constant { static constexpr T value=v; typedef T value_type; typedef integral_constant type; constexpr operator T() const { return v; } constexpr T operator()() const {return v;} }; typedef integral_constant<bool,true> true_type; typedef integral_constant<bool,false> false_type; template<bool B> using bool_constant=integral_constant<bool,B>;
template<bool B,class T=void> struct enable_if{}; template<class T> struct enable_if<true,T>{typedef T type;}; template<bool B,class T=void> using enable_if_t=typename enable_if<B,T>::type; template<bool B,class T,class F> struct conditional{typedef T type;}; template<class T,class F> struct conditional<false,T,F>{typedef F type;}; template<bool B,class T,class F> using conditional_t=typename conditional<B,T,F>::type;
template<class T> struct remove_reference{typedef T type;}; template<class T> struct remove_reference<T&>{typedef T type;}; template<class T> struct remove_reference<T&&>{typedef T type;}; template<class T> using remove_reference_t=typename remove_reference<T>::type; template<class T> struct remove_const{typedef T type;}; template<class T> struct remove_const<const T>{typedef T type;}; template<class T> using remove_const_t=typename remove_const<T>::type; template<class T> struct remove_cv{typedef __remove_cv(T) type;}; template<class T> using remove_cv_t=__remove_cv(T); template<class T> struct remove_pointer{typedef __remove_pointer(T) type;}; template<class T> using remove_pointer_t=__remove_pointer(T); template<class T> struct add_pointer{typedef T*type;}; template<class T> struct decay{typedef __decay(T) type;}; template<class T> using decay_t=__decay(T); template<class T> using remove_cvref_t=__remove_cvref(T); template<class T> struct make_unsigned{typedef __make_unsigned(T) type;}; template<class T> using make_unsigned_t=__make_unsigned(T); template<class T> struct make_signed{typedef __make_signed(T) type;}; template<class T> struct add_const{typedef const T type;}; template<class T> struct add_lvalue_reference{typedef T& type;}; template<class T> struct underlying_type{typedef __underlying_type(T) type;}; template<class T> struct remove_extent{typedef __remove_extent(T) type;}; template<class T> using remove_extent_t=__remove_extent(T);
template<class...> using void_t=void;

template<class T> struct is_integral:integral_constant<bool,__is_integral(T)>{}; template<class T> constexpr bool is_integral_v=__is_integral(T);
template<class T> struct is_floating_point:integral_constant<bool,__is_floating_point(T)>{}; template<class T> constexpr bool is_floating_point_v=__is_floating_point(T);
template<class T> struct is_arithmetic:integral_constant<bool,__is_arithmetic(T)>{}; template<class T> constexpr bool is_arithmetic_v=__is_arithmetic(T);
template<class T> struct is_signed:integral_constant<bool,__is_signed(T)>{}; template<class T> constexpr bool is_signed_v=__is_signed(T);
template<class T> struct is_unsigned:integral_constant<bool,__is_unsigned(T)>{}; template<class T> constexpr bool is_unsigned_v=__is_unsigned(T);
template<class T> struct is_pointer:integral_constant<bool,__is_pointer(T)>{}; template<class T> constexpr bool is_pointer_v=__is_pointer(T);
template<class T> struct is_array:integral_constant<bool,__is_array(T)>{}; template<class T> constexpr bool is_array_v=__is_array(T);
template<class T> struct is_class:integral_constant<bool,__is_class(T)>{}; template<class T> constexpr bool is_class_v=__is_class(T);
template<class T> struct is_enum:integral_constant<bool,__is_enum(T)>{}; template<class T> constexpr bool is_enum_v=__is_enum(T);
template<class T> struct is_const:integral_constant<bool,__is_const(T)>{}; template<class T> constexpr bool is_const_v=__is_const(T);
template<class T> struct is_void:integral_constant<bool,__is_void(T)>{}; template<class T> constexpr bool is_void_v=__is_void(T);
template<class T> struct is_trivially_copyable:integral_constant<bool,__is_trivially_copyable(T)>{}; template<class T> constexpr bool is_trivially_copyable_v=__is_trivially_copyable(T);
template<class T> struct is_reference:integral_constant<bool,__is_reference(T)>{}; template<class T> constexpr bool is_reference_v=__is_reference(T);
template<class T> struct is_function:integral_constant<bool,__is_function(T)>{}; template<class T> constexpr bool is_function_v=__is_function(T);
template<class T> struct is_standard_layout:integral_constant<bool,__is_standard_layout(T)>{}; template<class T> constexpr bool is_standard_layout_v=__is_standard_layout(T);
template<class T> struct is_empty:integral_constant<bool,__is_empty(T)>{}; template<class T> constexpr bool is_empty_v=__is_empty(T);
template<class T> struct is_pod:integral_constant<bool,__is_pod(T)>{}; template<class T> constexpr bool is_pod_v=__is_pod(T);
template<class T> struct is_scalar:integral_constant<bool,__is_scalar(T)>{}; template<class T> constexpr bool is_scalar_v=__is_scalar(T);
template<class T,class U> struct is_same:integral_constant<bool,__is_same(T,U)>{}; template<class T,class U> constexpr bool is_same_v=__is_same(T,U);
template<class T,class U> struct is_base_of:integral_constant<bool,__is_base_of(T,U)>{}; template<class T,class U> constexpr bool is_base_of_v=__is_base_of(T,U);
template<class T,class U> struct is_convertible:integral_constant<bool,__is_convertible(T,U)>{}; template<class T,class U> constexpr bool is_convertible_v=__is_convertible(T,U);
template<class T,class U> struct is_assignable:integral_constant<bool,__is_assignable(T,U)>{}; template<class T,class U> constexpr bool is_assignable_v=__is_assignable(T,U);

template<class T,class...A> struct is_constructible:integral_constant<bool,__is_constructible(T,A...)>{};
template<class T> constexpr remove_reference_t<T>&& move(T&&t) noexcept { return static_cast<remove_reference_t<T>&&>(t); } template<class T> constexpr T&& forward(remove_reference_t<T>&t) noexcept { return static_cast<T&&>(t); } template<class T> T&& declval() noexcept; template<class T> void swap(T&,T&); template<class T,class U=T> T exchange(T&,U&&); template<class T> constexpr T* addressof(T&t){return __builtin_addressof(t);} 
template<class E> class initializer_list { const E*b; size_t n; constexpr initializer_list(const E*b,size_t n):b(b),n(n){} public: constexpr initializer_list():b(nullptr),n(0){} constexpr size_t size() const {return n;} constexpr const E*begin() const {return b;} constexpr const E*end() const {return b+n;} };
template<class T> constexpr const T& min(const T&a,const T&b){return b<a?b:a;} template<class T> constexpr const T& max(const T&a,const T&b){return a<b?b:a;} template<class T> constexpr T min(initializer_list<T>); template<class T> constexpr T max(initializer_list<T>); template<class T,class C> const T& min(const T&,const T&,C); template<class T,class C> const T& max(const T&,const T&,C); template<class T> constexpr const T& clamp(const T&v,const T&l,const T&h){return v<l?l:h<v?h:v;}
template<class A,class B> struct pair { A first; B second; constexpr pair():first(),second(){} constexpr pair(const A&a,const B&b):first(a),second(b){} template<class U,class V> pair(const pair<U,V>&); typedef A first_type; typedef B second_type; bool operator<(const pair&) const; bool operator==(const pair&) const; }; template<class A,class B> pair<decay_t<A>,decay_t<B>> make_pair(A&&,B&&);
template<class...T> struct tuple { tuple(); tuple(const T&...); }; template<class T> struct tuple_size; template<class...T> tuple<decay_t<T>...> make_tuple(T&&...); template<size_t I,class...T> struct __telem; template<class H,class...T> struct __telem<0,H,T...>{typedef H type;}; template<size_t I,class H,class...T> struct __telem<I,H,T...>:__telem<I-1,T...>{}; template<size_t I,class...T> typename __telem<I,T...>::type& get(tuple<T...>&); template<size_t I,class...T> const typename __telem<I,T...>::type& get(const tuple<T...>&); template<class...T> tuple<T&...> tie(T&...); template<size_t I,class T> struct tuple_element; template<size_t I,class...T> struct tuple_element<I,tuple<T...>>:__telem<I,T...>{}; template<class...T> struct tuple_size<tuple<T...>>:integral_constant<size_t,sizeof...(T)>{};
template<class T,T...I> struct integer_sequence { typedef T value_type; static constexpr size_t size(){return sizeof...(I);} }; template<size_t...I> using index_sequence=integer_sequence<size_t,I...>; template<class T,T N> using make_integer_sequence=__make_integer_seq<integer_sequence,T,N>; template<size_t N> using make_index_sequence=make_integer_sequence<size_t,N>;
struct input_iterator_tag{}; struct output_iterator_tag{}; struct forward_iterator_tag:input_iterator_tag{}; struct bidirectional_iterator_tag:forward_iterator_tag{}; struct random_access_iterator_tag:bidirectional_iterator_tag{}; template<class I> struct iterator_traits{ typedef typename I::value_type value_type; typedef typename I::difference_type difference_type; typedef typename I::reference reference; typedef typename I::pointer pointer; typedef typename I::iterator_category iterator_category; }; template<class T> struct iterator_traits<T*>{ typedef __remove_cv(T) value_type; typedef ptrdiff_t difference_type; typedef T& reference; typedef T*pointer; typedef random_access_iterator_tag iterator_category; };
template<class T> struct allocator{}; template<class T> struct char_traits{};
template<class T,size_t N> struct array { T d[N?N:1]; constexpr T& operator[](size_t i){return d[i];} constexpr const T& operator[](size_t i) const {return d[i];} constexpr size_t size() const {return N;} T*begin(); T*end(); const T*begin() const; const T*end() const; T*data(); const T*data() const; void fill(const T&); T&front(); T&back(); typedef T value_type; };
#define SEQ(C) C(); C(size_t); C(size_t,const T&); C(initializer_list<T>); template<class I,class=decltype(*declval<I>())> C(I,I); typedef T value_type; typedef T*iterator; typedef const T*const_iterator; typedef size_t size_type; typedef T& reference; typedef const T& const_reference; T& operator[](size_t); const T& operator[](size_t) const; T& at(size_t); const T& at(size_t) const; size_t size() const; bool empty() const; T*begin(); T*end(); const T*begin() const; const T*end() const; const T*cbegin() const; const T*cend() const; T*rbegin(); T*rend(); T*data(); const T*data() const; void push_back(const T&); template<class...A_> T& emplace_back(A_&&...); void pop_back(); void push_front(const T&); void pop_front(); void resize(size_t); void resize(size_t,const T&); void reserve(size_t); void clear(); T& front(); T& back(); const T& front() const; const T& back() const; template<class...A_> iterator insert(const_iterator,A_&&...); iterator erase(const_iterator); iterator erase(const_iterator,const_iterator); void assign(size_t,const T&); template<class I> void assign(I,I); size_t capacity() const; void swap(C&); void shrink_to_fit(); bool operator==(const C&) const; bool operator!=(const C&) const; bool operator<(const C&) const;
template<class T,class A=allocator<T>> struct vector { SEQ(vector) }; template<class T,class A=allocator<T>> struct deque { SEQ(deque) }; template<class T,class A=allocator<T>> struct list { SEQ(list) };
template<class K,class C=void,class A=void> struct set { set(); typedef K*iterator; typedef const K*const_iterator; pair<iterator,bool> insert(const K&); size_t count(const K&) const; size_t size() const; iterator begin() const; iterator end() const; iterator find(const K&) const; void clear(); bool empty() const; void erase(const K&); }; template<class K,class C=void,class A=void,class D=void> using unordered_set=set<K>; template<class K,class C=void> using multiset=set<K>;
template<class K,class V,class C=void,class A=void> struct map { map(); map(initializer_list<pair<const K,V>>); typedef pair<const K,V>*iterator; typedef const pair<const K,V>*const_iterator; V& operator[](const K&); V& at(const K&); const V& at(const K&) const; size_t count(const K&) const; size_t size() const; iterator begin() const; iterator end() const; iterator find(const K&) const; template<class P> pair<iterator,bool> insert(P&&); template<class...P> pair<iterator,bool> emplace(P&&...); void clear(); bool empty() const; void erase(const K&); void erase(iterator); }; template<class K,class V,class C=void,class A=void,class D=void> using unordered_map=map<K,V>; template<class K,class V> using multimap=map<K,V>;
template<class T> struct less{ typedef T x; bool operator()(const T&,const T&) const; }; template<class T=void> struct greater{ template<class U,class V> bool operator()(const U&,const V&) const; }; template<class T=void> struct plus{ template<class U> constexpr U operator()(const U&a,const U&b) const {return a+b;} }; template<class T=void> struct multiplies{ template<class U> U operator()(const U&,const U&) const; }; template<class T> struct hash{ size_t operator()(const T&) const; };
template<class T,class C=vector<T>> struct queue { void push(const T&); void pop(); T&front(); T&back(); bool empty() const; size_t size() const; template<class...A> void emplace(A&&...); }; template<class T,class C=vector<T>,class L=less<T>> struct priority_queue { void push(const T&); void pop(); const T&top() const; bool empty() const; size_t size() const; template<class...A> void emplace(A&&...); }; template<class T,class C=vector<T>> struct stack { void push(const T&); void pop(); T&top(); bool empty() const; size_t size() const; };
template<class Ch> struct basic_string { typedef Ch T; basic_string(); basic_string(const Ch*); basic_string(const Ch*,size_t); basic_string(size_t,Ch); template<class I,class=decltype(*declval<I>())> basic_string(I,I); const Ch*c_str() const; const Ch*data() const; Ch*data(); size_t size() const; size_t length() const; bool empty() const; Ch& operator[](size_t); const Ch& operator[](size_t) const; Ch*begin(); Ch*end(); const Ch*begin() const; const Ch*end() const; basic_string& operator+=(const basic_string&); basic_string& operator+=(Ch); basic_string substr(size_t,size_t=-1) const; size_t find(const basic_string&,size_t=0) const; size_t find(Ch,size_t=0) const; size_t rfind(const basic_string&,size_t=-1) const; size_t rfind(Ch,size_t=-1) const; size_t find_first_of(const basic_string&,size_t=0) const; size_t find_last_of(const basic_string&,size_t=-1) const; size_t find_first_not_of(const basic_string&,size_t=0) const; size_t find_last_not_of(const basic_string&,size_t=-1) const; basic_string& append(const basic_string&); basic_string& append(size_t,Ch); basic_string& replace(size_t,size_t,const basic_string&); void push_back(Ch); void pop_back(); int compare(const basic_string&) const; int compare(size_t,size_t,const basic_string&) const; void clear(); void resize(size_t); void reserve(size_t); Ch&back(); Ch&front(); Ch&at(size_t); basic_string& erase(size_t=0,size_t=-1); static const size_t npos=-1; }; typedef basic_string<char> string; typedef string string_view; typedef basic_string<wchar_t> wstring;
template<class C> basic_string<C> operator+(const basic_string<C>&,const basic_string<C>&); template<class C> basic_string<C> operator+(const basic_string<C>&,const C*); template<class C> basic_string<C> operator+(const C*,const basic_string<C>&); template<class C> basic_string<C> operator+(const basic_string<C>&,C); template<class C> bool operator==(const basic_string<C>&,const basic_string<C>&); template<class C> bool operator==(const basic_string<C>&,const C*); template<class C> bool operator!=(const basic_string<C>&,const basic_string<C>&); template<class C> bool operator!=(const basic_string<C>&,const C*); template<class C> bool operator<(const basic_string<C>&,const basic_string<C>&); template<class T> string to_string(T); int stoi(const string&,size_t* =0,int=10); long stol(const string&,size_t* =0,int=10); unsigned long stoul(const string&,size_t* =0,int=10); long long stoll(const string&); unsigned long long stoull(const string&); double stod(const string&); float stof(const string&);
struct ios_base { enum openmode { in=1,out=2,binary=4,app=8,ate=16,trunc=32 }; enum fmtflags{ fixed_=1, left_, }; enum seekdir { beg,cur,end }; static bool sync_with_stdio(bool); static const fmtflags fixed=fixed_,left=fixed_,right=fixed_,scientific=fixed_,dec=fixed_,hex=fixed_; }; inline constexpr ios_base::openmode operator|(ios_base::openmode a,ios_base::openmode b){return ios_base::openmode(int(a)|int(b));}
struct ios:ios_base { explicit operator bool() const; bool operator!() const; bool good() const; bool fail() const; bool eof() const; bool bad() const; void clear(); int precision(int); int precision() const; int width(int); char fill(char); int setf(int,int=0); template<class T> T rdbuf(T); void* rdbuf() const; int flags(); void unsetf(int); void copyfmt(ios&); };
struct ostream:ios { template<class T> ostream& operator<<(const T&); ostream& operator<<(ostream&(*)(ostream&)); ostream& operator<<(ios_base&(*)(ios_base&)); ostream& write(const char*,long); ostream& flush(); ostream& put(char); long tellp(); ostream& seekp(long); };
template<class T> ostream& operator<<(ostream&&,const T&);
struct istream:ios { template<class T> istream& operator>>(T&&); istream& read(char*,long); int get(); istream& get(char&); istream& getline(char*,long,char='\n'); istream& seekg(long); istream& seekg(long,ios_base::seekdir); long tellg(); istream& ignore(long=1,int=0); int peek(); long gcount() const; };
struct iostream:ostream { template<class T> iostream& operator>>(T&&); };
extern ostream cout,cerr,clog; extern istream cin; ostream& endl(ostream&); ostream& flush(ostream&); ostream& ends(ostream&); struct __manip{}; __manip setw(int); __manip setprecision(int); __manip setfill(char); ios_base& fixed(ios_base&); ios_base& scientific(ios_base&); ios_base& left(ios_base&); ios_base& right(ios_base&); ios_base& hex(ios_base&); ios_base& dec(ios_base&); ios_base& boolalpha(ios_base&); ios_base& defaultfloat(ios_base&); ios_base& showpoint(ios_base&);
struct ofstream:ostream { ofstream(); ofstream(const char*,int=0); ofstream(const string&,int=0); bool is_open() const; void close(); void open(const string&,int=0); }; struct ifstream:istream { ifstream(); ifstream(const char*,int=0); ifstream(const string&,int=0); bool is_open() const; void close(); void open(const string&,int=0); }; struct fstream:iostream { fstream(); fstream(const string&,int=0); bool is_open() const; void close(); void open(const string&,int=0); istream& read(char*,long); }; struct stringstream:iostream { stringstream(); stringstream(const string&); string str() const; void str(const string&); }; struct ostringstream:ostream { string str() const; void str(const string&); }; struct istringstream:istream { istringstream(const string&); string str() const; void str(const string&);}; istream& getline(istream&,string&,char='\n'); iostream& getline(iostream&,string&,char='\n');
struct exception { virtual ~exception(); virtual const char*what() const noexcept; }; struct runtime_error:exception { runtime_error(const string&); }; struct logic_error:exception { logic_error(const string&); }; struct invalid_argument:logic_error { invalid_argument(const string&); }; struct out_of_range:logic_error { out_of_range(const string&); }; struct bad_alloc:exception{}; struct domain_error:logic_error{domain_error(const string&);}; struct length_error:logic_error{length_error(const string&);};
template<class T> struct numeric_limits; template<class T> struct __nl { static const bool is_specialized=true; static const bool is_signed=T(-1)<T(0); static const bool is_integer=__is_integral(T); static const bool has_infinity=!is_integer; static const int digits=sizeof(T)*8-is_signed; static const int digits10=6; static constexpr T min(){return T();} static constexpr T max(){return T();} static constexpr T lowest(){return T();} static constexpr T epsilon(){return T();} static constexpr T infinity(){return T();} static constexpr T quiet_NaN(){return T();} static constexpr T denorm_min(){return T();} }; template<class T> struct numeric_limits:__nl<T>{};
namespace chrono { template<class R,class P=int> struct duration { R count() const; duration(); template<class R2,class P2> duration(const duration<R2,P2>&); duration& operator+=(const duration&); duration operator/(int) const; explicit duration(R); duration operator-(const duration&) const; duration operator+(const duration&) const; }; typedef duration<long,int> nanoseconds; typedef duration<long,short> microseconds; typedef duration<long,char> milliseconds; typedef duration<long,long> seconds; template<class C> struct time_point { nanoseconds operator-(const time_point&) const; nanoseconds time_since_epoch() const; }; struct steady_clock { typedef time_point<steady_clock> time_point; typedef nanoseconds duration; static time_point now(); }; typedef steady_clock high_resolution_clock; typedef steady_clock system_clock; template<class D,class R,class P> D duration_cast(const duration<R,P>&); }
template<long N,long D=1> struct ratio{}; typedef ratio<1,1000> milli; typedef ratio<1,1000000> micro; typedef ratio<1,1000000000> nano; typedef ratio<1000> kilo; 
struct random_device { unsigned operator()(); }; struct mt19937 { mt19937(); template<class T> explicit mt19937(T); unsigned operator()(); void seed(unsigned); typedef unsigned result_type; static unsigned max(); }; typedef mt19937 default_random_engine; typedef mt19937 mt19937_64; typedef mt19937 minstd_rand; template<class T=double> struct __dist { __dist(); __dist(T); __dist(T,T); template<class G> T operator()(G&); struct param_type { param_type(T,T); }; }; template<class T=double> struct uniform_real_distribution:__dist<T>{ using __dist<T>::__dist; }; template<class T=int> struct uniform_int_distribution:__dist<T>{ using __dist<T>::__dist; }; template<class T=double> struct normal_distribution:__dist<T>{ using __dist<T>::__dist; }; template<class T=double> struct exponential_distribution:__dist<T>{ using __dist<T>::__dist; }; struct bernoulli_distribution:__dist<double>{ using __dist<double>::__dist; };template<class T=int> struct poisson_distribution:__dist<T>{ using __dist<T>::__dist; };
template<class T> struct complex { T r,i; constexpr complex(T a=T(),T b=T()):r(a),i(b){} template<class U> constexpr complex(const complex<U>&o):r(o.r),i(o.i){} constexpr T real() const {return r;} constexpr T imag() const {return i;} void real(T); void imag(T); complex& operator+=(const complex&); complex& operator-=(const complex&); complex& operator*=(const complex&); complex& operator/=(const complex&); };
template<class T> complex<T> operator+(const complex<T>&,const complex<T>&); template<class T> complex<T> operator-(const complex<T>&,const complex<T>&); template<class T> complex<T> operator*(const complex<T>&,const complex<T>&); template<class T> complex<T> operator/(const complex<T>&,const complex<T>&); template<class T> complex<T> operator*(const T&,const complex<T>&); template<class T> complex<T> operator*(const complex<T>&,const T&); template<class T> complex<T> operator/(const complex<T>&,const T&); template<class T> complex<T> operator-(const complex<T>&); template<class T> T abs(const complex<T>&); template<class T> T norm(const complex<T>&); template<class T> T real(const complex<T>&); template<class T> T imag(const complex<T>&); template<class T> complex<T> conj(const complex<T>&); template<class T> complex<T> exp(const complex<T>&); template<class T> complex<T> sqrt(const complex<T>&);
template<class T,class D=void> struct unique_ptr { unique_ptr(); explicit unique_ptr(T*); unique_ptr(T*,D); T*get() const; T& operator*() const; T*operator->() const; T*release(); void reset(T* =nullptr); explicit operator bool() const; }; template<class T> struct unique_ptr<T[],void> { unique_ptr(); explicit unique_ptr(T*); T*get() const; T& operator[](size_t) const; void reset(T* =nullptr); }; template<class T> struct shared_ptr { shared_ptr(); template<class U> shared_ptr(U*); T*get() const; T& operator*() const; T*operator->() const; explicit operator bool() const; void reset(); }; template<class T,class...A> unique_ptr<T> make_unique(A&&...); template<class T,class...A> shared_ptr<T> make_shared(A&&...);
template<class S> struct function; template<class R,class...A> struct function<R(A...)> { function(); template<class F> function(F); R operator()(A...) const; explicit operator bool() const; }; template<class T> struct atomic { atomic(T=T()); T load() const; void store(T); operator T() const; T operator++(); T operator++(int); T fetch_add(T); atomic& operator=(T); }; struct mutex { void lock(); void unlock(); }; template<class M> struct lock_guard { lock_guard(M&); }; template<class M> struct unique_lock { unique_lock(M&); void unlock(); }; struct thread { thread(); template<class F,class...A> thread(F&&,A&&...); void join(); static unsigned hardware_concurrency(); }; template<class T> struct optional { optional(); optional(const T&); T& value(); explicit operator bool() const; bool has_value() const; T& operator*(); }; 
#define ALG(n,R) template<class...A> R n(A&&...);
ALG(sort,void) ALG(stable_sort,void) ALG(fill,void) ALG(fill_n,void) ALG(generate,void) ALG(generate_n,void) ALG(copy,void) ALG(copy_n,void) ALG(iota,void) ALG(reverse,void) ALG(shuffle,void) ALG(random_shuffle,void) ALG(nth_element,void) ALG(partial_sort,void) ALG(for_each,void) ALG(partial_sum,void) ALG(exclusive_scan,void) ALG(inclusive_scan,void) ALG(equal,bool) ALG(is_sorted,bool) ALG(all_of,bool) ALG(any_of,bool) ALG(none_of,bool) ALG(make_heap,void) ALG(push_heap,void) ALG(pop_heap,void) template<class I,class...A> I transform(I,A&&...); template<class I,class...A> I find(I,A&&...); template<class I,class...A> I find_if(I,A&&...); template<class I,class...A> I max_element(I,A&&...); template<class I,class...A> I min_element(I,A&&...); template<class I,class...A> I unique(I,A&&...); template<class I,class...A> I remove_if(I,A&&...); template<class I,class...A> I lower_bound(I,A&&...); template<class I,class...A> I upper_bound(I,A&&...); template<class I,class T,class...A> T accumulate(I,I,T,A&&...); template<class I,class J,class T,class...A> T inner_product(I,I,J,T,A&&...); template<class I,class...A> long count(I,A&&...); template<class I,class...A> long count_if(I,A&&...); template<class I> long distance(I,I); template<class I> I next(I,long=1); template<class C> auto begin(C&c)->decltype(c.begin()); template<class C> auto end(C&c)->decltype(c.end()); template<class T,size_t N> T* begin(T(&)[N]); template<class T,size_t N> T* end(T(&)[N]); template<class C> int back_inserter(C&); template<class T,class U=char> struct ostream_iterator { ostream_iterator(ostream&,const char*); };
template<class...A> int bind(A&&...); namespace placeholders { extern int _1,_2; } template<class T> T& ref(T&); template<class T> const T& cref(const T&); template<class T> T gcd(T,T); template<class T> T lcm(T,T); template<class F,class...A> auto invoke(F&&f,A&&...a)->decltype(f(a...)); template<class F,class...A> struct result_of; template<class F,class...A> using invoke_result_t=decltype(declval<F>()(declval<A>()...)); enum class memory_order{relaxed,acquire,release,seq_cst}; template<class T> constexpr T&& as_const_(T&&);
namespace this_thread { template<class T> void sleep_for(T); void yield(); } namespace execution { struct P{}; extern P par,seq,par_unseq; }
template<class T> struct remove_all_extents{ typedef __remove_all_extents(T) type; };
}

template<> struct std::numeric_limits<float>:std::__nl<float>{ static constexpr float lowest(){return -3.40282347e+38F;} static constexpr float min(){return 1.17549435e-38F;} static constexpr float max(){return 3.40282347e+38F;} static constexpr float epsilon(){return 1.19209290e-7F;} static constexpr float infinity(){return __builtin_inff();} static constexpr float quiet_NaN(){return __builtin_nanf("");} static constexpr float denorm_min(){return 1.40129846e-45F;} static const int digits=24; static const int digits10=6; static const int max_digits10=9; static const int max_exponent=128; static const int min_exponent=-125; };
template<> struct std::numeric_limits<double>:std::__nl<double>{ static constexpr double lowest(){return -1.7976931348623157e308;} static constexpr double min(){return 2.2250738585072014e-308;} static constexpr double max(){return 1.7976931348623157e308;} static constexpr double epsilon(){return 2.2204460492503131e-16;} static constexpr double infinity(){return __builtin_inf();} static constexpr double quiet_NaN(){return __builtin_nan("");} static constexpr double denorm_min(){return 4.9406564584124654e-324;} static const int digits=53; static const int digits10=15; static const int max_digits10=17; static const int max_exponent=1024; static const int min_exponent=-1021; };
template<> struct std::numeric_limits<char>:std::__nl<char>{ static constexpr char lowest(){return (-127LL-1);} static constexpr char min(){return (-127LL-1);} static constexpr char max(){return 127;} };
template<> struct std::numeric_limits<signed char>:std::__nl<signed char>{ static constexpr signed char lowest(){return (-127LL-1);} static constexpr signed char min(){return (-127LL-1);} static constexpr signed char max(){return 127;} };
template<> struct std::numeric_limits<unsigned char>:std::__nl<unsigned char>{ static constexpr unsigned char lowest(){return 0;} static constexpr unsigned char min(){return 0;} static constexpr unsigned char max(){return 255;} };
template<> struct std::numeric_limits<short>:std::__nl<short>{ static constexpr short lowest(){return (-32767LL-1);} static constexpr short min(){return (-32767LL-1);} static constexpr short max(){return 32767;} };
template<> struct std::numeric_limits<unsigned short>:std::__nl<unsigned short>{ static constexpr unsigned short lowest(){return 0;} static constexpr unsigned short min(){return 0;} static constexpr unsigned short max(){return 65535;} };
template<> struct std::numeric_limits<int>:std::__nl<int>{ static constexpr int lowest(){return (-2147483647LL-1);} static constexpr int min(){return (-2147483647LL-1);} static constexpr int max(){return 2147483647;} };
template<> struct std::numeric_limits<unsigned>:std::__nl<unsigned>{ static constexpr unsigned lowest(){return 0;} static constexpr unsigned min(){return 0;} static constexpr unsigned max(){return 4294967295;} };
template<> struct std::numeric_limits<long>:std::__nl<long>{ static constexpr long lowest(){return (-9223372036854775807LL-1);} static constexpr long min(){return (-9223372036854775807LL-1);} static constexpr long max(){return 9223372036854775807ULL;} };
template<> struct std::numeric_limits<unsigned long>:std::__nl<unsigned long>{ static constexpr unsigned long lowest(){return 0;} static constexpr unsigned long min(){return 0;} static constexpr unsigned long max(){return 18446744073709551615ULL;} };
template<> struct std::numeric_limits<long long>:std::__nl<long long>{ static constexpr long long lowest(){return (-9223372036854775807LL-1);} static constexpr long long min(){return (-9223372036854775807LL-1);} static constexpr long long max(){return 9223372036854775807ULL;} };
template<> struct std::numeric_limits<unsigned long long>:std::__nl<unsigned long long>{ static constexpr unsigned long long lowest(){return 0;} static constexpr unsigned long long min(){return 0;} static constexpr unsigned long long max(){return 18446744073709551615ULL;} };
#undef va_list
typedef __builtin_va_list va_list;
#endif