package gen

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/tools/go/packages"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences"
)

// maxGoAlign is the largest alignment that a Go type has under the gc compiler.
// An element type may be aligned more strictly than its Go twin only where no Go
// type could follow.
const maxGoAlign = 8

// goType is a resolved Go type of an element type.
type goType struct {
	typ  *sequences.Type
	path string // import path
	name string
	pkg  string // name of its package; empty if that could not be loaded
}

// goTypes resolves the Go types of element types in one module.
type goTypes struct {
	dir   string // of the output file
	own   string // import path of the output package; empty if it has none
	byID  map[string]*packages.Package
	sizes types.Sizes
	diags diag.List
}

// resolveGoTypes loads the packages that the element types name, as seen from
// the directory of the output file, and compares sizes and alignments for
// linux/amd64, the platform of the device ABI. It returns the types in file
// order and the import path of the output package.
func resolveGoTypes(dir string, all []sequences.Type) (out []goType, own string, err error) {
	g := &goTypes{dir: dir}
	for i := range all {
		if all[i].Go == "" {
			continue
		}
		if t, ok := g.parse(&all[i]); ok {
			out = append(out, t)
		}
	}
	if len(out) > 0 {
		if err := g.load(out); err != nil {
			return nil, "", err
		}
		for i := range out {
			if p := g.byID[out[i].path]; p != nil {
				out[i].pkg = p.Name
			}
			g.check(out[i])
		}
	}
	return out, g.own, g.diags.Err()
}

func (g *goTypes) report(t *sequences.Type, code diag.Code, hint, format string, args ...any) {
	g.diags = append(g.diags, diag.Diagnostic{
		Pos: t.Pos, Code: code, Severity: diag.Error, Hint: hint,
		Message: fmt.Sprintf("type %s: ", t.Name) + fmt.Sprintf(format, args...),
	})
}

// parse splits "import/path.Type".
func (g *goTypes) parse(t *sequences.Type) (goType, bool) {
	const hint = `write it as "import/path.Type"`
	dot := strings.LastIndexByte(t.Go, '.')
	if dot < 0 {
		g.report(t, CodeGoSyntax, hint, "%q names no package", t.Go)
		return goType{}, false
	}
	path, name := t.Go[:dot], t.Go[dot+1:]
	if err := module.CheckImportPath(path); err != nil {
		g.report(t, CodeGoSyntax, hint, "%q is no import path", path)
		return goType{}, false
	}
	if !token.IsIdentifier(name) {
		g.report(t, CodeGoSyntax, hint, "%q is no name of a Go type", name)
		return goType{}, false
	}
	return goType{typ: t, path: path, name: name}, true
}

// load loads the output package and those of the types. A package with errors is
// no error here: the output package often has some until its generated file is
// there, and the types are mostly whole all the same.
func (g *goTypes) load(ts []goType) error {
	patterns := []string{"."}
	for _, t := range ts {
		patterns = append(patterns, t.path)
	}
	slices.Sort(patterns)
	pkgs, err := packages.Load(&packages.Config{
		Dir: g.dir,
		// The packages that are asked for are checked from source, so that one
		// with errors has types; what they import comes from export data.
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedModule,
		Env: append(os.Environ(), "GOOS=linux", "GOARCH=amd64"),
	}, slices.Compact(patterns)...)
	if err != nil {
		return fmt.Errorf("loading the packages of the Go types: %w", err)
	}
	g.byID = map[string]*packages.Package{}
	for _, p := range pkgs {
		g.byID[p.PkgPath] = p
		if g.sizes == nil {
			g.sizes = p.TypesSizes
		}
	}
	g.sizes = cmp.Or(g.sizes, types.SizesFor("gc", "amd64"))
	g.own = g.findOwn(pkgs)
	return nil
}

// findOwn is the import path of the package in the output directory; empty if
// there is none yet.
func (g *goTypes) findOwn(pkgs []*packages.Package) string {
	out, err := os.Stat(cmp.Or(g.dir, "."))
	if err != nil {
		return ""
	}
	for _, p := range pkgs {
		if len(p.CompiledGoFiles) == 0 {
			continue
		}
		if dir, err := os.Stat(p.Dir); err == nil && os.SameFile(out, dir) {
			return p.PkgPath
		}
	}
	return ""
}

// check compares one Go type with its element type.
func (g *goTypes) check(t goType) {
	pkg := g.byID[t.path]
	if pkg == nil || pkg.Types == nil || len(pkg.CompiledGoFiles) == 0 && t.path != "unsafe" {
		why := "it was not found"
		if pkg != nil && len(pkg.Errors) > 0 {
			why = firstError(pkg)
		}
		g.report(t.typ, CodeGoPackage, "the module of the output file must provide it", "cannot load package %s: %s", t.path, why)
		return
	}
	if pkg.Name == "main" && t.path != g.own {
		g.report(t.typ, CodeGoUnusable, "move the type to another package", "%s is a command, which cannot be imported", t.path)
		return
	}
	name, ok := pkg.Types.Scope().Lookup(t.name).(*types.TypeName)
	if !ok {
		g.report(t.typ, CodeGoType, "", "package %s has no type %s", t.path, t.name)
		return
	}
	if !name.Exported() && t.path != g.own {
		g.report(t.typ, CodeGoUnusable, "export it, or generate into its package", "%s is not exported", t.typ.Go)
		return
	}
	if why := unusable(name.Type()); why != "" {
		if why == invalidType && len(pkg.Errors) > 0 {
			why += ": " + firstError(pkg)
		}
		g.report(t.typ, CodeGoUnusable, "", "%s cannot be an element type: it %s", t.typ.Go, why)
		return
	}
	g.compare(t, name.Type())
}

func (g *goTypes) compare(t goType, typ types.Type) {
	size, align := g.sizes.Sizeof(typ), g.sizes.Alignof(typ)
	if size < 0 || uint64(size) != uint64(t.typ.Size) {
		g.report(t.typ, CodeGoSize, fmt.Sprintf("write size: %d, or change the Go type", size),
			"%s has %d bytes in Go, but size is %d", t.typ.Go, size, t.typ.Size)
	}
	if uint64(align) != uint64(t.typ.Align) && t.typ.Align <= maxGoAlign {
		g.report(t.typ, CodeGoAlign, fmt.Sprintf("write align: %d, or change the Go type", align),
			"%s is aligned to %d bytes in Go, but align is %d", t.typ.Go, align, t.typ.Align)
	}
}

const invalidType = "does not compile"

// generic is what a declared type and an alias have in common.
type generic interface {
	TypeParams() *types.TypeParamList
	TypeArgs() *types.TypeList
}

// unusable says why a Go type cannot lie in device memory; empty if it can.
func unusable(t types.Type) string {
	if g, ok := t.(generic); ok && g.TypeParams().Len() > 0 && g.TypeArgs().Len() == 0 {
		return "has type parameters"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.Invalid:
			return invalidType
		case u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer:
			return "holds a Go pointer"
		}
	case *types.Array:
		return unusable(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if why := unusable(f.Type()); why != "" {
				return why
			}
		}
	default:
		return "holds a Go pointer"
	}
	return ""
}

// firstError is the first line about a package that says something: the go
// command starts with one that only repeats the path.
func firstError(pkg *packages.Package) string {
	for _, err := range pkg.Errors {
		for line := range strings.Lines(err.Msg) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				return strings.TrimSuffix(line, "; to add it:")
			}
		}
	}
	return "unknown error"
}
