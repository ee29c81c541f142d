package csvfile_test

import (
	"fmt"
	"os"

	"github.com/seqplan/seqplan/planner/pack/csvfile"
)

// A file with an inclusive end is read, a result is written.
func Example() {
	f, faults := csvfile.Read("in.csv", []byte("buffer,start,end,size\ntracks,0,2,4096\nhits,3,5,1024\n"))
	if err := faults.Err(); err != nil {
		fmt.Println(err)
		return
	}
	for i := range f.Buffers {
		f.Buffers[i].Offset = new(uint64) // they never live together
	}
	if err := csvfile.Write(os.Stdout, f); err != nil {
		fmt.Println(err)
	}

	_, faults = csvfile.Read("in.csv", []byte("id,lower,upper,size\ntracks,3,3,4096\n"))
	fmt.Println(faults.Err())
	// Output:
	// id,lower,upper,size,offset
	// tracks,0,3,4096,0
	// hits,3,6,1024,0
	// in.csv:2:10: error[SP0414]: the lifetime [3, 3) is empty
}
