package ascend

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

// function is a C function with its name.
type function struct {
	dl.Func
	name string
}

// library is what this package uses of libascendcl.
type library struct {
	recentErrMsg      dl.Func  // const char *(void)
	finalizeReference function // (uint64_t *count); not in older releases

	init              function // (const char *config)
	getDeviceCount    function // (uint32_t *count)
	setDevice         function // (int32_t device)
	resetDevice       function // (int32_t device)
	createContext     function // (aclrtContext *, int32_t device)
	destroyContext    function // (aclrtContext)
	setCurrentContext function // (aclrtContext)
	getSocName        function // const char *(void)
	getMemInfo        function // (aclrtMemAttr, size_t *free, size_t *total)

	malloc      function // (void **, size_t size, aclrtMemMallocPolicy)
	free        function // (void *)
	mallocHost  function // (void **, size_t size)
	freeHost    function // (void *)
	memcpy      function // (void *dst, size_t max, const void *src, size_t count, kind)
	memcpyAsync function // (void *dst, size_t max, const void *src, size_t count, kind, stream)
	memsetAsync function // (void *, size_t max, int32_t value, size_t count, stream)

	createStream      function // (aclrtStream *)
	destroyStream     function // (aclrtStream)
	synchronizeStream function // (aclrtStream)
	createEvent       function // (aclrtEvent *, uint32_t flags)
	destroyEvent      function // (aclrtEvent)
	recordEvent       function // (aclrtEvent, aclrtStream)
	queryEvent        function // (aclrtEvent, aclrtEventRecordedStatus *)
	synchronizeEvent  function // (aclrtEvent)
	streamWaitEvent   function // (aclrtStream, aclrtEvent)

	// For memory pools, which not all releases have.
	poolCreate  function // (aclrtMemPool *, const aclrtMemPoolProps *)
	poolDestroy function // (aclrtMemPool)
	poolMalloc  function // (void **, size_t size, aclrtMemPool, aclrtStream)
	poolFree    function // (void *, aclrtStream)
	poolSet     function // (aclrtMemPool, aclrtMemPoolAttr, void *value)
	poolGet     function // (aclrtMemPool, aclrtMemPoolAttr, void *value)
	poolTrim    function // (aclrtMemPool, size_t min)
	noPools     error    // names those that are missing

	binaryLoad        function // (const void *, size_t, const aclrtBinaryLoadOptions *, aclrtBinHandle *)
	binaryUnload      function // (aclrtBinHandle)
	binaryGetFunction function // (aclrtBinHandle, const char *name, aclrtFuncHandle *)
	launch            function // (aclrtFuncHandle, uint32_t blocks, aclrtStream, cfg, void *args, size_t size, holders, size_t count)
}

// symbol says which function of the library belongs to a field.
type symbol struct {
	to   *function
	name string
}

// load finds the library and all its functions.
func load(chosen string) (*library, error) {
	found, err := dl.Open(dl.Names(chosen, LibraryEnv, "libascendcl.so")...)
	if err != nil {
		return nil, err
	}
	l := &library{
		recentErrMsg:      found.Optional("aclGetRecentErrMsg"),
		finalizeReference: function{found.Optional("aclFinalizeReference"), "aclFinalizeReference"},
	}
	for _, f := range []symbol{
		{&l.init, "aclInit"},
		{&l.getDeviceCount, "aclrtGetDeviceCount"},
		{&l.setDevice, "aclrtSetDevice"},
		{&l.resetDevice, "aclrtResetDevice"},
		{&l.createContext, "aclrtCreateContext"},
		{&l.destroyContext, "aclrtDestroyContext"},
		{&l.setCurrentContext, "aclrtSetCurrentContext"},
		{&l.getSocName, "aclrtGetSocName"},
		{&l.getMemInfo, "aclrtGetMemInfo"},
		{&l.malloc, "aclrtMalloc"},
		{&l.free, "aclrtFree"},
		{&l.mallocHost, "aclrtMallocHost"},
		{&l.freeHost, "aclrtFreeHost"},
		{&l.memcpy, "aclrtMemcpy"},
		{&l.memcpyAsync, "aclrtMemcpyAsync"},
		{&l.memsetAsync, "aclrtMemsetAsync"},
		{&l.createStream, "aclrtCreateStream"},
		{&l.destroyStream, "aclrtDestroyStream"},
		{&l.synchronizeStream, "aclrtSynchronizeStream"},
		{&l.createEvent, "aclrtCreateEventExWithFlag"},
		{&l.destroyEvent, "aclrtDestroyEvent"},
		{&l.recordEvent, "aclrtRecordEvent"},
		{&l.queryEvent, "aclrtQueryEventStatus"},
		{&l.synchronizeEvent, "aclrtSynchronizeEvent"},
		{&l.streamWaitEvent, "aclrtStreamWaitEvent"},
		{&l.binaryLoad, "aclrtBinaryLoadFromData"},
		{&l.binaryUnload, "aclrtBinaryUnLoad"},
		{&l.binaryGetFunction, "aclrtBinaryGetFunction"},
		{&l.launch, "aclrtLaunchKernelWithHostArgs"},
	} {
		fn, err := found.Func(f.name)
		if err != nil {
			return nil, err
		}
		*f.to = function{fn, f.name}
	}
	var missing []string
	for _, f := range []symbol{
		{&l.poolCreate, "aclrtMemPoolCreate"},
		{&l.poolDestroy, "aclrtMemPoolDestroy"},
		{&l.poolMalloc, mallocAsync},
		{&l.poolFree, "aclrtMemPoolFreeAsync"},
		{&l.poolSet, "aclrtMemPoolSetAttr"},
		{&l.poolGet, "aclrtMemPoolGetAttr"},
		{&l.poolTrim, "aclrtMemPoolTrimTo"},
	} {
		*f.to = function{found.Optional(f.name), f.name}
		if !f.to.Valid() {
			missing = append(missing, f.name)
		}
	}
	if len(missing) > 0 {
		l.noPools = fmt.Errorf("%w: library %s has no function %s", kernels.ErrNotSupported, found.Name(), strings.Join(missing, ", "))
	}
	return l, nil
}

// check turns what a call returned into an error. The message belongs to the
// thread, which must be the one of the call.
func (l *library) check(f *function, status int32) error {
	code := Code(status)
	if code == codeOK {
		return nil
	}
	e := &Error{Call: f.name, Code: code, Name: code.name()}
	if l.recentErrMsg.Valid() {
		e.Message = strings.TrimSpace(dl.String(l.recentErrMsg.Call()))
	}
	return e
}
