package host_test

import (
	"testing"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

func TestConformance(t *testing.T) {
	kernelstest.Run(t, func() kernels.Device { return host.New(host.Options{}) })
}
