// NVML. Host code only: any call type-checks.
#pragma once
#include <__cushim.h>

typedef struct nvmlDevice_st *nvmlDevice_t;
union nvmlValue_t {
  double dVal;
  unsigned uiVal;
  unsigned long ulVal;
  unsigned long long ullVal;
};
struct nvmlSample_t {
  unsigned long long timeStamp;
  nvmlValue_t sampleValue;
};
struct nvmlMemory_t {
  unsigned long long total, free, used;
};
#define nvmlClocksThrottleReasonSwPowerCap 0x4ULL
#define nvmlClocksThrottleReasonHwSlowdown 0x8ULL
#define nvmlClocksThrottleReasonSwThermalSlowdown 0x20ULL
#define nvmlClocksThrottleReasonHwThermalSlowdown 0x40ULL
#define nvmlClocksThrottleReasonHwPowerBrakeSlowdown 0x80ULL
#define nvmlClocksThrottleReasonAll 0x1ffULL
enum nvmlReturn_t { NVML_SUCCESS, NVML_ERROR_UNINITIALIZED, NVML_ERROR_INVALID_ARGUMENT };
enum nvmlClockType_t { NVML_CLOCK_GRAPHICS, NVML_CLOCK_SM, NVML_CLOCK_MEM };
enum nvmlClockId_t { NVML_CLOCK_ID_CURRENT };
enum nvmlTemperatureSensors_t { NVML_TEMPERATURE_GPU };
enum nvmlTemperatureThresholds_t { NVML_TEMPERATURE_THRESHOLD_SHUTDOWN, NVML_TEMPERATURE_THRESHOLD_SLOWDOWN };
enum nvmlSamplingType_t { NVML_TOTAL_POWER_SAMPLES, NVML_GPU_UTILIZATION_SAMPLES, NVML_MEMORY_UTILIZATION_SAMPLES };
enum nvmlValueType_t { NVML_VALUE_TYPE_DOUBLE, NVML_VALUE_TYPE_UNSIGNED_INT };

#define LIBRARY_CALL(NAME) template <class... A> nvmlReturn_t NAME(A &&...);
LIBRARY_CALL(nvmlInit)
LIBRARY_CALL(nvmlInit_v2)
LIBRARY_CALL(nvmlShutdown)
LIBRARY_CALL(nvmlDeviceGetHandleByIndex)
LIBRARY_CALL(nvmlDeviceGetHandleByIndex_v2)
LIBRARY_CALL(nvmlDeviceGetHandleByUUID)
LIBRARY_CALL(nvmlDeviceGetClock)
LIBRARY_CALL(nvmlDeviceGetClockInfo)
LIBRARY_CALL(nvmlDeviceGetPowerUsage)
LIBRARY_CALL(nvmlDeviceGetPowerManagementLimit)
LIBRARY_CALL(nvmlDeviceGetTemperature)
LIBRARY_CALL(nvmlDeviceGetTemperatureThreshold)
LIBRARY_CALL(nvmlDeviceGetCurrentClocksThrottleReasons)
LIBRARY_CALL(nvmlDeviceGetFanSpeed)
LIBRARY_CALL(nvmlDeviceGetSamples)
LIBRARY_CALL(nvmlDeviceGetMaxClockInfo)
LIBRARY_CALL(nvmlDeviceGetUtilizationRates)
LIBRARY_CALL(nvmlDeviceGetMemoryInfo)
LIBRARY_CALL(nvmlDeviceGetName)
LIBRARY_CALL(nvmlDeviceGetCount)
#undef LIBRARY_CALL
const char *nvmlErrorString(nvmlReturn_t);
