package pack

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Portfolio is a list of packers. It returns the lowest packing; of equal ones
// that of the first packer. The packers after the first one that is proven
// optimal count as not run. Several may run at the same time; the result, and
// Nodes, which sums over the packers that count, do not depend on it.
type Portfolio []Packer

// Greedy is the portfolio of first fit and best fit over every order.
func Greedy() Portfolio {
	var p Portfolio
	for _, o := range []Order{BySize, ByArea, ByLength, ByTotal, ByStart} {
		p = append(p, FirstFit{o}, BestFit{o})
	}
	return p
}

// Pack implements Packer. A packer that fails is passed over as long as another
// one succeeds: a bad order may leave uint64 where a good one does not. If all
// fail, the error is that of the first.
func (p Portfolio) Pack(ctx context.Context, problem Problem) (Result, error) {
	if len(p) == 0 {
		return Result{}, fmt.Errorf("%w: empty portfolio", ErrInvalid)
	}
	results, errs := p.runAll(ctx, problem)
	var best Result
	var nodes uint64
	found := false
	for i, r := range results {
		if errs[i] != nil {
			continue
		}
		nodes += r.Nodes
		if !found || r.Height < best.Height {
			best, found = r, true
		}
		if r.Status == Optimal {
			best = r
			break
		}
	}
	if !found {
		return Result{}, errs[0]
	}
	best.Nodes = nodes
	return best, nil
}

// runAll runs the packers in order, but none after one that is known to be
// optimal: every packer before the first optimal one has run when it returns.
func (p Portfolio) runAll(ctx context.Context, problem Problem) ([]Result, []error) {
	results, errs := make([]Result, len(p)), make([]error, len(p))
	var optimal atomic.Bool
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, packer := range p {
		if optimal.Load() {
			break
		}
		group.Go(func() error {
			results[i], errs[i] = packer.Pack(ctx, problem)
			if errs[i] == nil && results[i].Status == Optimal {
				optimal.Store(true)
			}
			return nil
		})
	}
	_ = group.Wait() // the functions return no errors
	return results, errs
}
