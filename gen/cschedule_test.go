package gen

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/sequences/streams"
)

// cudaStub prints the calls of the loop in C.
const cudaStub = `#include "velo_seqplan.h"
#include <stdio.h>
typedef const char *cudaStream_t;
typedef unsigned cudaEvent_t;
static void cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, int flags) { printf("%s waits %u %d\n", s, e, flags); }
static void cudaEventRecord(cudaEvent_t e, cudaStream_t s) { printf("%s event %u\n", s, e); }
static void run(uint64_t step, cudaStream_t s) { printf("%s runs %u\n", s, (unsigned)step); }
`

const cudaMain = `
int main(void)
{
    cudaStream_t streams[TRIGGER_NUM_STREAMS];
    cudaEvent_t events[TRIGGER_NUM_STEPS];
    for (unsigned s = 0; s < TRIGGER_NUM_STREAMS; s++)
        streams[s] = trigger_streams[s];
    for (unsigned e = 0; e < TRIGGER_NUM_STEPS; e++)
        events[e] = e;
    enqueue(streams, events);
    return 0;
}
`

// The loop of the documentation in C makes the calls of the plan.
func TestStreamsLoopC(t *testing.T) {
	for _, s := range someStreams(t, 0)[:len(streams.Policies())] {
		var header bytes.Buffer
		require.NoError(t, C(&header, s.seq, s.plan, COptions{}))
		dir := t.TempDir()
		writeFiles(t, dir, map[string]string{"velo_seqplan.h": header.String()})
		var want strings.Builder
		for i, step := range s.plan.Steps {
			stream := s.plan.Streams[step.Stream]
			for _, a := range step.After {
				fmt.Fprintf(&want, "%s waits %d 0\n", stream, a)
			}
			fmt.Fprintf(&want, "%s runs %d\n", stream, i)
			if waitedFor(s.plan, i) {
				fmt.Fprintf(&want, "%s event %d\n", stream, i)
			}
		}
		for _, c := range compilers()[:2] {
			require.Equal(t, want.String(), c.run(t, dir, cudaStub+snippet(t, "c")+cudaMain))
		}
	}
}
