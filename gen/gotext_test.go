package gen

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// runtimePackages are the packages that generated code imports, for the type
// checker.
var runtimePackages = sync.OnceValues(func() (map[string]*types.Package, error) {
	list, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps},
		abiPath, checkedPath, kernelsPath, dynpoolPath)
	if err != nil {
		return nil, err
	}
	out := map[string]*types.Package{"unsafe": types.Unsafe}
	for _, p := range list {
		out[p.PkgPath] = p.Types
	}
	return out, nil
})

type importerOf map[string]*types.Package

func (m importerOf) Import(path string) (*types.Package, error) {
	if p := m[path]; p != nil {
		return p, nil
	}
	return nil, &types.Error{Msg: "unexpected import " + path}
}

// typeCheck type-checks a generated file for an architecture; no import but
// those of the runtime and extra are allowed.
func typeCheck(t *testing.T, src, arch string, extra ...*types.Package) *types.Package {
	t.Helper()
	pkg, err := tryTypeCheck(t, src, arch, extra...)
	require.NoError(t, err)
	return pkg
}

func tryTypeCheck(t *testing.T, src, arch string, extra ...*types.Package) (*types.Package, error) {
	t.Helper()
	known, err := runtimePackages()
	require.NoError(t, err)
	imports := importerOf(maps.Clone(known))
	for _, p := range extra {
		imports[p.Path()] = p
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "velo_seqplan.go", src, parser.ParseComments)
	require.NoError(t, err)
	require.True(t, ast.IsGenerated(file))
	config := types.Config{Importer: imports, Sizes: types.SizesFor("gc", arch)}
	return config.Check("velo", fset, []*ast.File{file}, nil)
}

func TestGoEveryType(t *testing.T) {
	s := everyType()
	text := s.goText(t)
	for _, arch := range []string{"amd64", "386", "arm64"} {
		typeCheck(t, text, arch)
	}
}

// Guards hold on each platform: 386 aligns nothing to more than 4 bytes.
func TestGoGuardsEverywhere(t *testing.T) {
	module := t.TempDir()
	writeFiles(t, module, userModule)
	s := newSketch()
	one := func(name string, size, align sequences.Bytes) {
		id := s.typ(sequences.Type{Name: name, Size: size, Align: align, Go: "example.org/m/hits." + name})
		s.buffer("of_"+name, id, sequences.Device, &expr.Node{Kind: expr.Lit, Value: 7}, 7)
	}
	one("Hit", 12, 4)
	one("Alias", 12, 4)
	one("Number", 4, 4)
	s.step("decode")
	text := generateGo(t, s, GoOptions{Package: "velo", Dir: module})
	require.Contains(t, text, "\n\t\"example.org/m/hits\"\n", "an alias that only repeats the name")
	list, err := packages.Load(&packages.Config{Dir: module, Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports}, "example.org/m/hits")
	require.NoError(t, err)
	for _, arch := range []string{"amd64", "386", "arm64"} {
		typeCheck(t, text, arch, list[0].Types)
	}
	one("Wide", 24, 8)
	text = generateGo(t, s, GoOptions{Package: "velo", Dir: module})
	typeCheck(t, text, "amd64", list[0].Types)
}

// The exported names of the example: what users write.
func TestGoNames(t *testing.T) {
	s := newSketch()
	s.param("n_events", 1, 9)
	s.param("width", 3, 3)
	s.static("velo.hits")
	s.buffer("tracks", 0, sequences.Device, s.count("n_tracks"), 0)
	s.step("decode")
	pkg := typeCheck(t, s.goText(t), "amd64")
	require.Equal(t, []string{
		"ArenaAlign", "ArenaTypical", "ArenaWorst", "Counts", "DevicePoolAlign", "DevicePoolSize", "HostPoolAlign", "HostPoolSize", "Layout", "NumSlots",
		"NumSteps", "Open", "Params", "PlanHash", "Pool", "StepDecode", "TracksAlign", "TracksCount", "TracksElemSize", "TracksMaxCount", "TracksMaxSize",
		"TracksSlot", "VeloHitsAlign", "VeloHitsCount", "VeloHitsElemSize", "VeloHitsMaxCount", "VeloHitsOffset", "VeloHitsSize",
		"Width",
	}, pkg.Scope().Names())
	// What every file has is what the names of buffers are checked against.
	fixed := slices.DeleteFunc(pkg.Scope().Names(), func(name string) bool { return !slices.Contains(goFixed[:], name) })
	require.Equal(t, goFixed[:], fixed)
}

// The names that an accessor must not hide are those that a pool has.
func TestGoPoolNames(t *testing.T) {
	s := newSketch()
	s.step("decode")
	pool := typeCheck(t, s.goText(t), "amd64").Scope().Lookup("Pool").Type()
	var have []string
	for m := range types.NewMethodSet(types.NewPointer(pool)).Methods() {
		have = append(have, m.Obj().Name())
	}
	// The embedded fields, one in the other.
	for fields, ok := pool.Underlying().(*types.Struct); ok && fields.NumFields() > 0; {
		have = append(have, fields.Field(0).Name())
		inner, isPointer := fields.Field(0).Type().(*types.Pointer)
		if !isPointer || !fields.Field(0).Embedded() {
			break
		}
		fields, ok = inner.Elem().Underlying().(*types.Struct)
	}
	have = slices.DeleteFunc(have, func(name string) bool { return !token.IsExported(name) })
	slices.Sort(have)
	require.Equal(t, have, goPoolNames[:])
}

// checkGoConstants compares the constants of a generated file with the plan.
func checkGoConstants(t *testing.T, pkg *types.Package, plan *planner.Plan) {
	t.Helper()
	value := func(name, typ string, want uint64) {
		c, ok := pkg.Scope().Lookup(name).(*types.Const)
		require.True(t, ok, name)
		require.Equal(t, typ, c.Type().String(), name)
		got, exact := constant.Uint64Val(c.Val())
		require.True(t, exact, name)
		require.Equal(t, want, got, name)
	}
	value("PlanHash", "uint64", uint64(plan.Hash))
	value("DevicePoolSize", "uint64", plan.Layout.Device.Size)
	value("HostPoolSize", "uint64", plan.Layout.Host.Size)
	for name, demand := range map[string]*planner.Demand{"ArenaTypical": plan.Arena.Typical, "ArenaWorst": plan.Arena.Worst} {
		require.Equal(t, demand != nil, pkg.Scope().Lookup(name) != nil, name)
		if demand != nil {
			value(name, "uint64", uint64(demand.Sum))
		}
	}
	for _, b := range plan.Buffers {
		name := camelCase(b.Name)
		value(name+"Align", "uint64", uint64(b.Align))
		value(name+"ElemSize", "uint64", uint64(b.ElemSize))
		switch {
		case b.Class == planner.Dynamic:
			value(name+"Slot", abiPath+".SlotID", uint64(b.Slot))
			require.Equal(t, b.Proof != planner.ProofNone, pkg.Scope().Lookup(name+"MaxSize") != nil, name)
			require.Equal(t, b.Proof != planner.ProofNone, pkg.Scope().Lookup(name+"MaxCount") != nil, name)
			if b.Proof != planner.ProofNone {
				value(name+"MaxSize", "uint64", uint64(b.Max))
				value(name+"MaxCount", "uint64", uint64(b.Max/b.ElemSize))
			}
			continue
		case b.Scope == sequences.Host:
			value(name+"Offset", abiPath+".HostOffset", uint64(b.Offset))
		default:
			value(name+"Offset", abiPath+".Offset", uint64(b.Offset))
		}
		value(name+"Size", "uint64", uint64(b.Max))
		value(name+"MaxCount", "uint64", uint64(b.Max/b.ElemSize))
	}
	for i, s := range plan.Steps {
		value("Step"+camelCase(s.Name), abiPath+".StepID", uint64(i))
	}
	for i, s := range plan.Streams {
		value("Stream"+camelCase(s), "untyped int", uint64(i))
	}
	for _, name := range goStreamNames {
		require.Equal(t, len(plan.Streams) > 1, pkg.Scope().Lookup(name) != nil, name)
	}
}
