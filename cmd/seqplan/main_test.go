package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seqplan/seqplan/cmd/seqplan/internal/cli"
	"github.com/seqplan/seqplan/internal/golden"
	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/devices"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"seqplan": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the command itself, as a user does.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       golden.Update(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"status": status},
		Condition:           condition,
		Setup: func(env *testscript.Env) error {
			for name, text := range map[string][]byte{
				hlt1.VeloFile: hlt1.Velo(), hlt1.RecoFile: hlt1.Reco(), "starter.yaml": sequences.Starter(),
			} {
				if err := os.WriteFile(filepath.Join(env.WorkDir, name), text, 0o666); err != nil {
					return err
				}
			}
			env.Setenv("SEQPLAN_ROOT", root)
			env.Setenv("GOPACKAGE", "")
			return nil
		},
	})
}

// condition tells whether there is an OpenCL device: [opencl]. Where tools are required
// it is an error that there is none.
func condition(name string) (bool, error) {
	switch name {
	case "nodevice": // built without back ends
		return !devices.Carried(), nil
	case "opencl":
	default:
		return false, fmt.Errorf("unknown condition %q", name)
	}
	dev, err := devices.Open("opencl")
	if err == nil {
		return true, dev.Close()
	}
	if errors.Is(err, kernels.ErrNotSupported) && os.Getenv(tooltest.RequireEnv) == "" {
		return false, nil
	}
	return false, err
}

// status runs a command and compares its exit status: status N COMMAND ARGS...
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Dir = ts.Getenv("WORK")
	cmd.Env = append(cmd.Environ(), "GOPACKAGE="+ts.Getenv("GOPACKAGE"))
	out, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("exit status %d, want %d: %v\n%s", got, want, err, out)
	}
}
