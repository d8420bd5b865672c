package architecture_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	// maxFuncFields limits the function-typed fields of structs below gitmem: a text search does not find what a
	// field calls, and it may call upward without an import. Lower it when there are fewer.
	maxFuncFields = 61
	// maxUpward limits the table of upward arrows.
	maxUpward = 31
)

// upward lists what a package passes to a lower one to be called there, and why that is better than an
// argument: fields as package.Type.Field, interfaces that only higher packages implement as
// package.Interface.
func upward() map[string]string {
	const (
		port      = "what it reads is read in other ways by others, so that this is its contract with them"
		predicate = "a part of a query that is data: it decides on each row"
		late      = "the value is known only once the work that it belongs to is done"
		outside   = "a front end says what the outside world is; a library finds out nothing by itself"
		reported  = "a person watches while it works"
	)
	return map[string]string{
		"gitmem/internal/workspace.Options.Adopt":      outside,
		"gitmem/internal/workspace.Options.Getenv":     outside,
		"gitmem/internal/workspace.Options.Run":        outside,
		"gitmem/internal/workspace.Options.Progress":   reported,
		"gitmem/internal/workspace.Options.Warn":       reported,
		"gitmem/internal/agent.Question.Follow":        reported,
		"gitmem/internal/query.Filter.Follow":          reported,
		"gitmem/internal/index.Options.Progress":       reported,
		"gitmem/internal/store.Options.Warn":           reported,
		"gitmem/internal/cite.Resolver.Unread":         reported,
		"gitmem/internal/forge.ForgeOptions.Getenv":    "a token is looked up only for the forge that is asked",
		"gitmem/internal/forge.ForgeOptions.Run":       outside,
		"gitmem/internal/diagnose.HookCheck.Conflicts": "settings of the client are known to the front end that installs",
		"gitmem/internal/diagnose.HookCheck.Register":  "settings of the client are written by the front end that installs",
		"gitmem/internal/config.Machine.Resolve": "config knows no file system, and a rule names a path whose links " +
			"count",

		"gitmem/internal/cite.Tree":      port,
		"gitmem/internal/cite.Elsewhere": port,
		"gitmem/internal/forge.Caller":   "it is told what answers rest on, and which ids are citations",
		"gitmem/internal/store.Purge": "what goes from history is decided by what was forgotten, of which the store " +
			"knows nothing",

		"gitmem/internal/store.FileEdit.Edit":         "an edit is made again when somebody wrote to the file meanwhile",
		"gitmem/internal/index.Update.Marks":          late,
		"gitmem/internal/ask.Known.Docs":              late,
		"gitmem/internal/search.Condition.Match":      predicate,
		"gitmem/internal/search.Query.Projects":       predicate,
		"gitmem/internal/query.View.InScope":          predicate,
		"gitmem/internal/query.IdeaSelection.Wanted":  predicate,
		"gitmem/internal/team.Options.Relevance":      predicate,
		"gitmem/internal/team.OverviewOptions.Exists": predicate,
		"gitmem/internal/search.Leg.Find":             "a leg is one way to search among several that run side by side",
		"gitmem/internal/search.Parsed.Named":         "which names are those of releases is known to the repository alone",
		"gitmem/internal/query.Filter.Passage":        "a model is asked only where nothing was found",
	}
}

func TestFuncFields(t *testing.T) {
	t.Parallel()
	tr := loadTree(t)
	var all []string
	for _, f := range structFields(tr) {
		if f.function && within(f.pkg, "gitmem") {
			all = append(all, f.at+" "+f.name())
		}
	}
	if len(all) > maxFuncFields {
		t.Errorf("%d fields of structs hold a function, more than %d: pass a value or a parameter, or declare an interface "+
			"of up to three methods\n%s",
			len(all), maxFuncFields, strings.Join(all, "\n"))
	}
	if len(upward()) > maxUpward {
		t.Errorf("the table has %d arrows, more than %d", len(upward()), maxUpward)
	}
	found := upwardArrows(tr)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if upward()[name] == "" {
			t.Errorf("%s: %s is called by a package below, which no import shows: pass a value, or list it in upward() with "+
				"its reason",
				strings.Join(found[name], ", "), name)
		}
	}
	for name := range upward() {
		if found[name] == nil {
			t.Errorf("%s is listed in upward(), and nothing above fills it: take it out", name)
		}
	}
}

// guardContext requires a reason next to each call that can't be cancelled: on its line or on the one above.
func guardContext(tr *tree, s source) []string {
	if s.test || !within(s.pkg, "gitmem/internal") && !within(s.pkg, "providers") {
		return nil
	}
	reasons := map[int]bool{}
	for _, group := range s.ast.Comments {
		reasons[tr.fset.Position(group.Pos()).Line] = true
		reasons[tr.fset.Position(group.End()).Line] = true
	}
	var complaints []string
	ast.Inspect(s.ast, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && (callOf(call, "context", "Background") != nil || callOf(call, "context", "TODO") != nil) {
			if line := tr.fset.Position(call.Pos()).Line; !reasons[line] && !reasons[line-1] {
				complaints = append(complaints,
					fmt.Sprintf("line %d: a new context is never called off: take the caller's, or say in a comment here why there "+
						"is none", line))
			}
		}
		return true
	})
	return complaints
}

// structField is a field of a struct. function is set if it contains a function, and clock if that returns
// the time, which every package may receive.
type structField struct {
	pkg, typ, field, at string
	function, clock     bool
}

func (f structField) name() string { return f.pkg + "." + f.typ + "." + f.field }

// structFields returns the fields of structs in product code. A field contains a function if its type is a
// function type or the name of one in the module.
func structFields(tr *tree) []structField {
	named := map[string]bool{}
	eachType(tr, func(s source, spec *ast.TypeSpec) {
		if _, ok := spec.Type.(*ast.FuncType); ok {
			named[s.pkg+"."+spec.Name.Name] = true
		}
	})
	var out []structField
	eachType(tr, func(s source, spec *ast.TypeSpec) {
		ast.Inspect(spec.Type, func(n ast.Node) bool {
			st, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			for _, f := range st.Fields.List {
				fn, literal := f.Type.(*ast.FuncType)
				for _, name := range f.Names {
					out = append(out, structField{s.pkg, spec.Name.Name, name.Name, position(tr, name),
						literal || named[typeName(s, f.Type)], literal && isClock(fn)})
				}
			}
			return true
		})
	})
	return out
}

// isClock reports whether a function returns a time and has no parameters.
func isClock(f *ast.FuncType) bool {
	if f.Params.NumFields() > 0 || f.Results.NumFields() != 1 {
		return false
	}
	sel, ok := f.Results.List[0].Type.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Time"
}

// upwardArrows returns what packages pass to lower ones, with the positions: functions in fields, and types
// with the methods of an interface that no package at or below it has.
func upwardArrows(tr *tree) map[string][]string {
	found := map[string][]string{}
	all, aliases := structFields(tr), typeAliases(tr)
	fields := map[string]bool{}
	for _, f := range all {
		fields[f.name()] = f.function && !f.clock && within(f.pkg, "gitmem") && ast.IsExported(f.field)
	}
	add := func(s source, typ, field string, at ast.Node) {
		for aliases[typ] != "" {
			typ = aliases[typ]
		}
		pkg := typ[:max(0, strings.LastIndex(typ, "."))]
		if name := typ + "." + field; fields[name] && layerOf(pkg) < layerOf(s.pkg) {
			found[name] = append(found[name], position(tr, at))
		}
	}
	for _, s := range tr.files {
		if s.test {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						if key, ok := kv.Key.(*ast.Ident); ok {
							add(s, typeName(s, n.Type), key.Name, kv)
						}
					}
				}
			case *ast.AssignStmt:
				for _, to := range n.Lhs {
					if sel, ok := to.(*ast.SelectorExpr); ok {
						add(s, assigned(s, sel.Sel.Name, all, aliases), sel.Sel.Name, n)
					}
				}
			}
			return true
		})
	}
	for name, at := range upwardInterfaces(tr) {
		found[name] = at
	}
	return found
}

// assigned returns the type whose field a file may assign, which the syntax alone does not determine: one
// that the file's package or an imported package declares or aliases, on the lowest layer; "" if the field
// has another kind in any of them.
func assigned(s source, field string, all []structField, aliases map[string]string) (typ string) {
	reached := func(f structField) bool {
		if f.pkg == s.pkg || imports(s, f.pkg) {
			return true
		}
		for alias, of := range aliases {
			if of == f.pkg+"."+f.typ && imports(s, alias[:strings.LastIndex(alias, ".")]) {
				return true
			}
		}
		return false
	}
	lowest := unknownLayer
	for _, f := range all {
		if f.field != field || !reached(f) {
			continue
		}
		if !f.function || f.pkg == s.pkg {
			return ""
		}
		if layer := layerOf(f.pkg); lowest == unknownLayer || layer < lowest {
			lowest, typ = layer, f.pkg+"."+f.typ
		}
	}
	return typ
}

// upwardInterfaces returns the interfaces that only types of higher packages implement.
func upwardInterfaces(tr *tree) map[string][]string {
	methods := map[string][]string{} // of each type
	for _, s := range tr.files {
		for _, d := range s.ast.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && !s.test {
				of := typeName(s, f.Recv.List[0].Type)
				methods[of] = append(methods[of], signature(f.Name.Name, f.Type))
			}
		}
	}
	found := map[string][]string{}
	eachType(tr, func(s source, spec *ast.TypeSpec) {
		in, ok := spec.Type.(*ast.InterfaceType)
		if !ok || !within(s.pkg, "gitmem") {
			return
		}
		var wanted []string
		for _, m := range in.Methods.List {
			if f, ok := m.Type.(*ast.FuncType); ok {
				wanted = append(wanted, signature(m.Names[0].Name, f))
			}
		}
		above, below := false, len(wanted) == 0
		for of, has := range methods {
			if !slices.ContainsFunc(wanted, func(m string) bool { return !slices.Contains(has, m) }) {
				higher := layerOf(of[:strings.LastIndex(of, ".")]) > layerOf(s.pkg)
				above, below = above || higher, below || !higher
			}
		}
		if above && !below {
			found[s.pkg+"."+spec.Name.Name] = []string{position(tr, spec)}
		}
	})
	return found
}

// signature identifies a method by its name and the numbers of its parameters and results.
func signature(name string, f *ast.FuncType) string {
	return fmt.Sprintf("%s %d %d", name, f.Params.NumFields(), f.Results.NumFields())
}

// typeAliases returns the types that are aliases of another type of the module, by name.
func typeAliases(tr *tree) map[string]string {
	out := map[string]string{}
	eachType(tr, func(s source, spec *ast.TypeSpec) {
		if spec.Assign.IsValid() {
			out[s.pkg+"."+spec.Name.Name] = typeName(s, spec.Type)
		}
	})
	return out
}

// eachType calls f with every type that product code declares at the top level.
func eachType(tr *tree, f func(s source, spec *ast.TypeSpec)) {
	for _, s := range tr.files {
		for _, d := range s.ast.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.TYPE || s.test {
				continue
			}
			for _, spec := range gen.Specs {
				f(s, spec.(*ast.TypeSpec))
			}
		}
	}
}

// typeName returns the qualified name of a type of the module, "" for any other.
func typeName(s source, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(s, e.X)
	case *ast.IndexExpr:
		return typeName(s, e.X)
	case *ast.Ident:
		return s.pkg + "." + e.Name
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		if !ok {
			return ""
		}
		for _, spec := range s.ast.Imports {
			imported := strings.Trim(spec.Path.Value, "`\"")
			if pkg, ours := strings.CutPrefix(imported, module+"/"); ours && localName(spec, imported) == x.Name {
				return pkg + "." + e.Sel.Name
			}
		}
	}
	return ""
}

func imports(s source, pkg string) bool { return slices.Contains(s.imports(), module+"/"+pkg) }

func position(tr *tree, n ast.Node) string {
	p := tr.fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", p.Filename, p.Line)
}

func TestFieldsComplain(t *testing.T) {
	t.Parallel()
	tr, _ := sourceOf(t, "gitmem/internal/store/a.go",
		"package store\ntype Rule func()\ntype Options struct {\n\tWarn func(string)\n\tRule Rule\n\tNow func() time.Time\n"+
			"\tDir string\n}\ntype Purge interface{ Cut(string) string }")
	for name, text := range map[string]string{
		"gitmem/internal/forget/a.go": "package forget\nimport \"" + module +
			"/gitmem/internal/store\"\nvar o = store.Options{Warn: f, Now: g, Dir: d}\ntype p struct{}\n" +
			"func (p) Cut(s string) string { return s }",
		"gitmem/a.go": "package gitmem\nimport \"" + module +
			"/gitmem/internal/store\"\ntype Options = store.Options",
		"cmd/gitmem/a.go": "package main\nimport \"" + module +
			"/gitmem\"\nvar o = gitmem.Options{Warn: f}\nfunc f() { o.Rule = nil; o.Dir = d }",
	} {
		if err := tr.parse(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string][]string{
		"gitmem/internal/store.Options.Rule": {"cmd/gitmem/a.go:4"},
		"gitmem/internal/store.Purge":        {"gitmem/internal/store/a.go:9"},
		"gitmem/internal/store.Options.Warn": {"cmd/gitmem/a.go:3", "gitmem/internal/forget/a.go:3"},
	}
	got := upwardArrows(tr)
	for _, at := range got {
		slices.Sort(at)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("upward arrows (-want +got):\n%s", diff)
	}
}

func TestContextComplains(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"context.Background()": "line 4: a new context", "context.Background() // it goes on after the call": "",
		"context.TODO()": "line 4: a new context", "\n// It goes on.\ncontext.Background()": "",
		"\n// It goes on.\n\ncontext.Background()": "line 7: a new context",
	} {
		tr, s := sourceOf(t, "gitmem/internal/store/a.go", "package store\nimport \"context\"\nfunc f() {\n"+text+"\n}")
		expect(t, guardContext(tr, s), want)
	}
}
