package ascend

import "fmt"

// Code is an aclError, the number that a call of the driver returns.
type Code int32

// The codes that this package acts on.
const (
	codeOK               Code = 0
	codeRepeatInitialize Code = 100002
)

// String returns the driver's own name of the code, without the prefix
// ACL_ERROR_, or the number if the name is not known here.
func (c Code) String() string {
	if name := c.name(); name != "" {
		return name
	}
	return fmt.Sprint(int32(c))
}

// name covers what the runtime and its memory, stream and kernel functions may
// return. That the driver's own headers spell DEVIDE_OOM so is no mistake here.
func (c Code) name() string {
	switch c {
	case codeOK:
		return "SUCCESS"
	case 100000:
		return "INVALID_PARAM"
	case 100001:
		return "UNINITIALIZE"
	case codeRepeatInitialize:
		return "REPEAT_INITIALIZE"
	case 100003:
		return "INVALID_FILE"
	case 100037:
		return "REPEAT_FINALIZE"
	case 100039:
		return "COMPILING_STUB_MODE"
	case 107000:
		return "RT_PARAM_INVALID"
	case 107001:
		return "RT_INVALID_DEVICEID"
	case 107002:
		return "RT_CONTEXT_NULL"
	case 107003:
		return "RT_STREAM_CONTEXT"
	case 107008:
		return "RT_ADDR_UNALIGNED"
	case 107009:
		return "RT_FILE_OPEN"
	case 107016:
		return "RT_INVALID_MEMORY_TYPE"
	case 107017:
		return "RT_INVALID_HANDLE"
	case 107018:
		return "RT_INVALID_MALLOC_TYPE"
	case 107019:
		return "RT_WAIT_TIMEOUT"
	case 107020:
		return "RT_TASK_TIMEOUT"
	case 107022:
		return "RT_DEVICE_TASK_ABORT"
	case 107023:
		return "RT_STREAM_ABORT"
	case 107027:
		return "RT_STREAM_CAPTURED"
	case 107028:
		return "RT_EVENT_CAPTURED"
	case 200000:
		return "BAD_ALLOC"
	case 200001:
		return "API_NOT_SUPPORT"
	case 200002:
		return "INVALID_DEVICE"
	case 200003:
		return "MEMORY_ADDRESS_UNALIGNED"
	case 200004:
		return "RESOURCE_NOT_MATCH"
	case 200005:
		return "INVALID_RESOURCE_HANDLE"
	case 200006:
		return "FEATURE_UNSUPPORTED"
	case 207000:
		return "RT_FEATURE_NOT_SUPPORT"
	case 207001:
		return "RT_MEMORY_ALLOCATION"
	case 207002:
		return "RT_MEMORY_FREE"
	case 207003:
		return "RT_AICORE_OVER_FLOW"
	case 207004:
		return "RT_NO_DEVICE"
	case 207005:
		return "RT_RESOURCE_ALLOC_FAIL"
	case 207006:
		return "RT_NO_PERMISSION"
	case 207007:
		return "RT_NO_EVENT_RESOURCE"
	case 207008:
		return "RT_NO_STREAM_RESOURCE"
	case 207012:
		return "RT_OVER_LIMIT"
	case 207018:
		return "RT_DEVIDE_OOM"
	case 300000:
		return "STORAGE_OVER_LIMIT"
	case 500000:
		return "INTERNAL_ERROR"
	case 500001:
		return "FAILURE"
	case 500003:
		return "RT_FAILURE"
	case 500004:
		return "DRV_FAILURE"
	}
	return c.internal()
}

// internal names the errors of the device itself, and of the driver.
func (c Code) internal() string {
	switch c {
	case 507000:
		return "RT_INTERNAL_ERROR"
	case 507001:
		return "RT_TS_ERROR"
	case 507002:
		return "RT_STREAM_TASK_FULL"
	case 507007:
		return "RT_CONTEXT_RELEASE_ERROR"
	case 507008:
		return "RT_SOC_VERSION"
	case 507010:
		return "RT_LOST_HEARTBEAT"
	case 507012:
		return "RT_REPORT_TIMEOUT"
	case 507013:
		return "RT_SYS_DMA"
	case 507014:
		return "RT_AICORE_TIMEOUT"
	case 507015:
		return "RT_AICORE_EXCEPTION"
	case 507016:
		return "RT_AICORE_TRAP_EXCEPTION"
	case 507027:
		return "RT_KERNEL_LOOKUP"
	case 507028:
		return "RT_KERNEL_DUPLICATE"
	case 507033:
		return "RT_DEV_SETUP_ERROR"
	case 507034:
		return "RT_VECTOR_CORE_TIMEOUT"
	case 507035:
		return "RT_VECTOR_CORE_EXCEPTION"
	case 507036:
		return "RT_VECTOR_CORE_TRAP_EXCEPTION"
	case 507042:
		return "RT_AICORE_TRAP_READ_OVERFLOW"
	case 507043:
		return "RT_AICORE_TRAP_WRITE_OVERFLOW"
	case 507044:
		return "RT_VECTOR_CORE_TRAP_READ_OVERFLOW"
	case 507045:
		return "RT_VECTOR_CORE_TRAP_WRITE_OVERFLOW"
	case 507046:
		return "RT_STREAM_SYNC_TIMEOUT"
	case 507053:
		return "RT_DEVICE_MEM_ERROR"
	case 507054:
		return "RT_HBM_MULTI_BIT_ECC_ERROR"
	case 507899:
		return "RT_DRV_INTERNAL_ERROR"
	}
	return ""
}
