package host_test

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/seqplan/seqplan/kernels/host"
)

// Two streams write to the same byte. Which of them is the last is a matter of luck,
// unless the second one waits for the first.
func ExampleOptions() {
	last := func(seed uint64, wait bool) byte {
		r := rand.New(rand.NewPCG(seed, 0))
		d := host.New(host.Options{Interleave: func(ready int, _ bool) int { return r.IntN(ready+1) - 1 }})
		first, _ := d.NewStream()
		second, _ := d.NewStream()
		event, _ := d.NewEvent()
		addr, _ := d.Alloc(1)
		result := make([]byte, 1)
		err := errors.Join(first.Memset(addr, 1, 1), first.Record(event))
		if wait {
			err = errors.Join(err, second.Wait(event))
		}
		err = errors.Join(err, second.Memset(addr, 2, 1), first.Synchronize(), second.Synchronize(),
			second.CopyToHost(result, addr), second.Synchronize())
		if err != nil {
			fmt.Println(err)
		}
		return result[0]
	}
	count := func(wait bool) (n [3]int) {
		for seed := range uint64(1000) {
			n[last(seed, wait)]++
		}
		return n
	}
	unordered, ordered := count(false), count(true)
	fmt.Println(unordered[1] > 0, unordered[2] > 0)
	fmt.Println(ordered[1] > 0, ordered[2] > 0)
	// Output:
	// true true
	// false true
}
