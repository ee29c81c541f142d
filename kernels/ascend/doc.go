// Package ascend is the back end for Ascend NPUs: it drives libascendcl, the
// runtime of CANN, without cgo. It owns the use of that library, and the compiled
// kernels that it loads; their source is in package ascendc.
//
// # What has been tried
//
// No Ascend device and no CANN toolkit was at hand. Everything here was tested
// against a stand-in for the library, testdata/fake.h, which runs on host memory and
// is made from the public documentation; nothing has run on real hardware. What the
// tests do show: the sequence of calls, that each failing call gives a typed error,
// that everything is given back once, whatever fails, that every call has the right
// context, and that no copy breaks the rules below. The conformance suite of
// kernelstest runs through the stand-in too, with the AscendC kernels on the model of
// the caches that package twin has.
//
// # What is needed
//
// A CANN release with aclrtBinaryLoadFromData and aclrtLaunchKernelWithHostArgs,
// which is 8.5 or later. A library without a function that is needed is
// kernels.ErrNotSupported, as is a missing library. The library is looked for as
// libascendcl.so, which CANN's set_env.sh makes findable, or under the name in
// SEQPLAN_ASCEND_LIBRARY.
//
// The kernels have to be compiled with CANN's compiler, see BuildCommand, and named
// in Options or by SEQPLAN_ASCEND_KERNELS. Open looks up every kernel of
// kernels.Builtins, so that a wrong file shows at once. Code is loaded as code for
// vector cores (ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE); the arguments of a kernel are
// 8-byte words, and of a grid only the blocks count.
//
// # Threads
//
// A context of the driver belongs to a thread, and goroutines wander. So every call
// holds its thread and makes the context current first: aclrtSetCurrentContext sets
// a variable of the thread, which is much cheaper than handing each call to a thread
// of its own, and does not make calls that wait stand in the way of others. Whether
// the context is current already is not asked, since other users of the library may
// run on the same threads. The context stays current afterwards. A call that cannot
// make it current has done nothing and can be made again; of everything else that
// the driver fails to give back nothing is tried twice.
//
// # Copies
//
// The documentation up to CANN 8 wants source and destination of aclrtMemcpyAsync to
// be multiples of 64 and host memory to come from aclrtMallocHost, and says that
// other host memory may fail in unpredictable ways. That of CANN 9 has neither rule.
// This package keeps both: a copy is queued if its addresses are multiples of 64 and
// its host memory comes from AllocHost. Any other copy waits for the work of its
// stream, is made by aclrtMemcpy, for which no release asks for an alignment, and is
// done when the call returns. So it is always right, only slower; and no byte beside
// its destination is written. An error of the work that it waits for is kept for the
// next Synchronize. Options.UnalignedAsync trusts the later documentation for
// addresses; host memory from elsewhere is copied at once in any case.
//
// aclrtMemsetAsync has no such rules. Memory is allocated in whole lines of 64
// bytes, so that no line of a core's cache belongs to two allocations. aclrtFree and
// aclrtFreeHost take memory away at once, whatever is queued; therefore Free waits
// for the work of all streams first.
//
// # Memory pools
//
// NewPool uses the stream-ordered pools of the driver where the library has their seven
// functions and the device does not answer that it has none; otherwise it is
// kernels.ErrNotSupported and names what is missing. Memory of a pool is in the table of
// the device like other memory, so that copies are checked against it. Sizes are rounded
// up to whole lines here, and the runtime rounds them up further: its public source takes
// 2 MiB for the smallest piece, and rounds the largest size of a pool up too.
//
// The source refuses to trim below what is used or above what the pool can hold; TrimTo
// does not ask for either. It also refuses a release threshold above the largest size of
// the pool, which SetAttr returns as the error that it is. No document says what becomes
// of memory in use, or of a free that is queued, when its pool is destroyed. So Destroy
// refuses the one and waits for the other, and closing the device frees what is left
// through a stream of its own before it destroys the pools.
//
// # Where public sources disagree
//
//   - aclInit: calling it again is an error that may be ignored (100002). Later
//     releases count the calls, and aclFinalizeReference takes one back; earlier ones
//     have only aclFinalize, which ends the runtime for the whole process. Close calls
//     aclFinalizeReference where it exists, and else leaves the runtime alone.
//   - Events come from aclrtCreateEventExWithFlag with ACL_EVENT_SYNC. They may be
//     recorded again, and destroyed while somebody waits. Those of aclrtCreateEvent
//     have to be reset in between.
//   - aclrtLaunchKernelV2 is sometimes shown with arguments in host memory; its
//     documentation says device memory. aclrtLaunchKernelWithHostArgs is clear.
//   - Some pages say that loading a binary copies it to the device, later ones that
//     the first look-up of a kernel does. This package keeps the image until the device
//     is closed. Loading options are called optional, but every public example for
//     vector cores gives the magic number.
//   - bisheng without --cce-aicore-only makes a program or library for the host with
//     the device code inside it. What aclrtBinaryLoadFromFile wants is called a .o file
//     of device code, so BuildCommand asks for that. Some examples link the .o file
//     once more (ld.lld -m aicorelinux -Ttext=0 -static) before they load it.
//   - An event that was never recorded is complete to aclrtQueryEventStatus, but only one
//     of aclrtCreateEventExWithFlag; and work that failed never is complete. This package
//     knows itself whether an event was recorded, and whether somebody has waited since.
//     The source of the runtime looks for the stream of the last record, so the driver is
//     not asked about streams that are closed.
//   - Memory pools are reserved, experimental, for A2 alone, or for A2 and A3, depending on
//     the release. Attributes 1 to 3 are switched off by 2 in earlier documents and by 0
//     in later ones, and in the source 2 is on. This package writes 1 or 0, reads back what
//     0 has done, and takes both 0 and 2 for off.
//   - ACL_MEM_ALLOCATION_TYPE_PINNED is 0, where CUDA and kernels.PoolPinned have 1; in a
//     location the id comes first, where in CUDA the type does.
//   - Which codes mean that memory has run out differs: 200000, 207001 and 207018 all
//     are kernels.ErrOutOfMemory here, and 207012 from a pool. In the source a full pool is
//     an internal error, 507000, which says too little to be taken for one.
package ascend
