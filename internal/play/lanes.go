package play

import (
	"errors"

	"github.com/seqplan/seqplan/kernels"
)

// lanes are the device streams of one worker, one for each stream of the plan. As a
// stream they are the one that takes work at the moment. The start and the end of a
// batch and the waits of the host are on the first one, and join and fork order all
// others with it. Nothing else does, but for the edges of the plan.
type lanes struct {
	kernels.Stream
	now    int // its index
	all    []kernels.Stream
	fences []kernels.Event // one for each stream, if there are several
	idle   uint64          // how often a stream was synchronized whose work was known to be done
}

// openLanes opens streams behind a first one, which stays its owner's. After an error
// close gives back what there is.
func openLanes(dev kernels.Device, first kernels.Stream, streams int) (*lanes, error) {
	l := &lanes{Stream: first, all: []kernels.Stream{first}}
	if streams < 2 {
		return l, nil
	}
	for range streams - 1 {
		s, err := dev.NewStream()
		if err != nil {
			return l, err
		}
		l.all = append(l.all, s)
	}
	for range streams {
		e, err := dev.NewEvent()
		if err != nil {
			return l, err
		}
		l.fences = append(l.fences, e)
	}
	return l, nil
}

// to makes a stream the one that takes work.
func (l *lanes) to(stream int) { l.Stream, l.now = l.all[stream], stream }

// join goes to the first stream, and makes it wait for all others.
func (l *lanes) join() error {
	l.to(0)
	for i, s := range l.all[1:] {
		if err := pass(s, l.all[0], l.fences[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// fork makes all other streams wait for the first.
func (l *lanes) fork() error {
	if len(l.all) == 1 {
		return nil
	}
	err := l.all[0].Record(l.fences[0])
	for _, s := range l.all[1:] {
		if err == nil {
			err = s.Wait(l.fences[0])
		}
	}
	return err
}

// pass makes later work of one stream wait for the work of another.
func pass(from, to kernels.Stream, e kernels.Event) error {
	if err := from.Record(e); err != nil {
		return err
	}
	return to.Wait(e)
}

// wait waits until all streams are done.
func (l *lanes) wait() error {
	var errs []error
	for _, s := range l.all {
		errs = append(errs, s.Synchronize())
	}
	return errors.Join(errs...)
}

// settle returns the errors of the other streams after join, once the host has waited
// for the first. All work is done, so it asks and does not wait.
func (l *lanes) settle() error {
	var errs []error
	for _, s := range l.all[1:] {
		errs = append(errs, s.Synchronize())
		l.idle++
	}
	return errors.Join(errs...)
}

// close waits for the streams that it has opened.
func (l *lanes) close() error {
	var errs []error
	for _, s := range l.all[1:] {
		errs = append(errs, s.Close())
	}
	for _, e := range l.fences {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}
