// Package blockpool hands out device memory whose size the host knows: a pool takes
// large regions of the device, and cuts them into blocks.
//
//	pool, err := blockpool.New(dev, blockpool.Options{Size: 1 << 30, Limit: 4 << 30})
//	id, err := pool.AllocateBlock(size)
//	addr, err := pool.BlockPtr(id)
//	err = pool.FreeBlock(id)
//
// A block starts at a multiple of Align and has BlockSize(size) bytes. It is cut from
// the best fit among the memory that was freed, else from what remains of a region,
// else from a further region, up to the limit. FreeBlock joins free neighbours and
// gives nothing back to the device: that do Trim and Close, and AllocateBlock if it
// can wait (Options.Wait), which makes one region of several. An id is never used again, so that a stale one is an error
// and not somebody else's block.
//
// FreeBlock does not wait for the device. Either the work that uses the block has
// finished, or all users of the pool queue their work in one stream.
//
// A Manager has one pool for each device and finds the one of its caller. A Workspace
// is a block that only ever grows. All rules are in docs/block-pool.md.
package blockpool
