package main

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// call is a call from one function to another.
type call struct {
	caller string
	way    way
	callee string   // the function, or the field, method or variable that contains it
	higher []string // called functions in higher packages; if there are any, the call climbs
}

// way is how a call finds its function.
type way int

const (
	static way = iota
	byField
	byInterface
	byForeignInterface
	byVariable
)

// target is what one call site calls. A static call has one function.
type target struct {
	way       way
	callee    string
	functions []*ssa.Function
}

// flow follows calls from one function.
type flow struct {
	*module
	graph   *callgraph.Graph
	entered map[*ssa.Function]bool
	calls   []call
}

// follow returns the calls that a function makes, directly and through those that it calls.
func (m *module) follow(entry string) ([]call, error) {
	program, _ := ssautil.Packages(m.packages, ssa.InstantiateGenerics)
	program.Build()
	functions := ssautil.AllFunctions(program)
	for fn := range functions {
		if m.short(fn.String()) == entry && fn.Synthetic == "" {
			graph := vta.CallGraph(functions, vta.CallGraph(functions, nil))
			f := &flow{module: m, graph: graph, entered: map[*ssa.Function]bool{}}
			f.enter(fn)
			return f.calls, nil
		}
	}
	return nil, fmt.Errorf("no function %s", entry)
}

func (f *flow) enter(fn *ssa.Function) {
	f.entered[fn] = true
	type link struct {
		way    way
		callee string
		to     *ssa.Function
	}
	known := map[link]bool{}
	for _, t := range f.targets(fn) {
		c, repeated := call{caller: f.short(fn.String()), way: t.way, callee: t.callee}, true
		for _, to := range t.functions {
			repeated = repeated && known[link{t.way, t.callee, to}]
			known[link{t.way, t.callee, to}] = true
			if f.higher(packageOf(to), packageOf(fn)) {
				c.higher = append(c.higher, f.short(to.String()))
			}
		}
		if repeated {
			continue
		}
		f.calls = append(f.calls, c)
		for _, to := range t.functions {
			if !f.entered[to] {
				f.enter(to)
			}
		}
	}
}

// targets returns what a function calls, in the order of its code.
func (f *flow) targets(fn *ssa.Function) []target {
	callees := map[ssa.CallInstruction][]*ssa.Function{}
	if node := f.graph.Nodes[fn]; node != nil {
		for _, e := range node.Out {
			callees[e.Site] = append(callees[e.Site], e.Callee.Func)
		}
	}
	var all []target
	for _, block := range fn.Blocks {
		for _, instruction := range block.Instrs {
			if site, ok := instruction.(ssa.CallInstruction); ok {
				all = append(all, f.targetsAt(site.Common(), callees[site])...)
			}
		}
	}
	return all
}

// targetsAt returns what one call site calls, including the functions that it passes to other modules, and
// the calls in the body of a range over a function.
func (f *flow) targetsAt(site *ssa.CallCommon, callees []*ssa.Function) []target {
	var all []target
	if functions := f.unwrapped(callees); len(functions) > 0 {
		way, callee := f.wayOf(site)
		if way == static {
			callee = f.short(functions[0].String())
		}
		all = append(all, target{way, callee, functions})
	}
	for _, arg := range site.Args {
		handed := functionIn(arg)
		switch {
		case handed == nil:
		case isRangeBody(handed):
			all = append(all, f.targets(handed)...)
		case f.leaves(site):
			for _, fn := range f.unwrapped([]*ssa.Function{handed}) {
				all = append(all, target{static, f.short(fn.String()), []*ssa.Function{fn}})
			}
		}
	}
	return all
}

// unwrapped replaces wrappers, which are in no source, with what they call, and omits functions of other
// modules. The result is sorted.
func (f *flow) unwrapped(functions []*ssa.Function) []*ssa.Function {
	seen := map[*ssa.Function]bool{}
	for _, fn := range functions {
		f.unwrap(fn, seen)
	}
	all := slices.Collect(maps.Keys(seen))
	all = slices.DeleteFunc(all, func(fn *ssa.Function) bool {
		return isWrapper(fn) || isRangeBody(fn) || !f.owns(packageOf(fn))
	})
	slices.SortFunc(all, func(a, b *ssa.Function) int { return cmp.Compare(a.String(), b.String()) })
	return all
}

// unwrap adds a function to those seen and, if it is a wrapper, what it calls.
func (f *flow) unwrap(fn *ssa.Function, seen map[*ssa.Function]bool) {
	if seen[fn] {
		return
	}
	seen[fn] = true
	if node := f.graph.Nodes[fn]; node != nil && isWrapper(fn) {
		for _, e := range node.Out {
			f.unwrap(e.Callee.Func, seen)
		}
	}
}

// leaves reports whether a call goes to another module.
func (f *flow) leaves(c *ssa.CallCommon) bool {
	if c.IsInvoke() {
		return !f.owns(c.Method.Pkg())
	}
	callee := c.StaticCallee()
	return callee != nil && !isWrapper(callee) && !f.owns(packageOf(callee))
}

// wayOf returns how a call finds its function (by a field, an interface or a variable), and its name.
func (f *flow) wayOf(c *ssa.CallCommon) (way, string) {
	if c.IsInvoke() {
		name := f.short(types.TypeString(c.Value.Type(), nil) + "." + c.Method.Name())
		if f.owns(c.Method.Pkg()) {
			return byInterface, name
		}
		return byForeignInterface, name
	}
	if c.StaticCallee() != nil {
		return static, ""
	}
	if field := fieldOf(c.Value); field != "" {
		return byField, f.short(field)
	}
	return byVariable, variableIn(c.Value)
}

// variableIn returns the name of the variable that contains a value.
func variableIn(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return v.Name()
	case *ssa.Alloc:
		return v.Comment
	case *ssa.Phi:
		return v.Comment
	case *ssa.UnOp:
		return variableIn(v.X)
	}
	return "without a name"
}

// fieldOf returns the struct field that a value was read from, or "" for other values.
func fieldOf(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Field:
		return fieldName(v.X.Type(), v.Field)
	case *ssa.UnOp:
		if address, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			return fieldName(address.X.Type().Underlying().(*types.Pointer).Elem(), address.Field)
		}
	}
	return ""
}

func fieldName(of types.Type, i int) string {
	return types.TypeString(of, nil) + "." + of.Underlying().(*types.Struct).Field(i).Name()
}

// functionIn returns the function that a value was made from in the same function, or nil for other values.
func functionIn(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function)
	case *ssa.ChangeType:
		return functionIn(v.X)
	}
	return nil
}

func isRangeBody(fn *ssa.Function) bool { return fn.Synthetic == "range-over-func yield" }

func isWrapper(fn *ssa.Function) bool {
	return fn.Synthetic != "" && fn.Origin() == nil && fn.Syntax() == nil && len(fn.Blocks) > 0 && fn.Pkg == nil
}

// packageOf returns the package in which a function is declared.
func packageOf(fn *ssa.Function) *types.Package {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	if fn.Pkg == nil {
		return nil
	}
	return fn.Pkg.Pkg
}
