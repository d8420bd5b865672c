package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/packages"
)

const (
	longLine       = 120 // columns, of which a tab takes one
	manyOperators  = 4   // && and || of one condition
	drawn          = 60  // names, comments and messages that a sample has
	leastOfMessage = 3   // words of a string that counts as a message
)

// language is how a module reads.
type language struct {
	longLines            int
	commentWords, stiff  int // stiff are those of stiffWords
	conditions           int // with manyOperators or more
	letters, singleWords int // of names, and names of one word
	names                []string
	comments             []string // the text of each comment, on one line
	messages             []string
}

// stiffWords are verbs that prose uses of people, and Go projects hardly ever of code.
var stiffWords = [...]string{"told", "says", "stands", "lies", "gone"}

// measureLanguage reads the comments, names, conditions and strings of a file.
func (l *language) measureLanguage(p *packages.Package, file *ast.File, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if utf8.RuneCountInString(strings.TrimRight(line, "\r\n")) > longLine {
			l.longLines++
		}
	}
	for _, group := range file.Comments {
		l.addComment(group.Text())
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if operators(n) >= manyOperators {
				l.conditions++
			}
			return !isLogical(n) // what is inside of a condition belongs to it
		case *ast.Ident:
			l.addName(p.TypesInfo.Defs[n])
		case *ast.CallExpr:
			l.addMessages(n)
		}
		return true
	})
	return nil
}

// word finds the words of a comment.
func word() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z']+`) }

func (l *language) addComment(text string) {
	words := word().FindAllString(text, -1)
	l.commentWords += len(words)
	for _, w := range words {
		if slices.Contains(stiffWords[:], strings.ToLower(w)) {
			l.stiff++
		}
	}
	if len(words) > 0 {
		l.comments = append(l.comments, strings.Join(strings.Fields(text), " "))
	}
}

// addName counts the name of a function, type, field, or of a constant or variable of a package.
func (l *language) addName(def types.Object) {
	if def == nil || def.Name() == "_" || def.Name() == "init" || def.Name() == "main" {
		return
	}
	variable, isVariable := def.(*types.Var)
	global := def.Pkg() != nil && def.Parent() == def.Pkg().Scope()
	_, isFunction := def.(*types.Func)
	if !global && !isFunction && !(isVariable && variable.IsField()) {
		return
	}
	l.names = append(l.names, def.Name())
	l.letters += utf8.RuneCountInString(def.Name())
	if isOneWord(def.Name()) {
		l.singleWords++
	}
}

// isOneWord reports whether a name has no further word, which would begin with a capital letter
// or follow an underscore.
func isOneWord(name string) bool {
	lower := false
	for _, r := range name {
		if r == '_' || lower && unicode.IsUpper(r) {
			return false
		}
		lower = lower || unicode.IsLower(r)
	}
	return true
}

// addMessages collects the strings of several words that a call is given.
func (l *language) addMessages(call *ast.CallExpr) {
	for _, arg := range call.Args {
		literal, ok := arg.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			continue
		}
		text, err := strconv.Unquote(literal.Value)
		if err == nil && len(word().FindAllString(text, -1)) >= leastOfMessage && !strings.ContainsAny(text, "\n\\|^") {
			l.messages = append(l.messages, text)
		}
	}
}

// operators counts the && and || of a condition.
func operators(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return operators(e.X)
	case *ast.UnaryExpr:
		return operators(e.X)
	case *ast.BinaryExpr:
		if isLogical(e) {
			return 1 + operators(e.X) + operators(e.Y)
		}
	}
	return 0
}

func isLogical(e *ast.BinaryExpr) bool { return e.Op == token.LAND || e.Op == token.LOR }

// sample prints names, comments and messages that a seed draws, for a reader who judges each.
func (f figures) sample(out io.Writer, seed uint64) {
	for _, kind := range [...]struct {
		name string
		all  []string
	}{{"names", f.names}, {"comments", f.comments}, {"messages", f.messages}} {
		fmt.Fprintf(out, "%s %s, %s, seed %d\n", f.name, f.version, kind.name, seed)
		order := rand.New(rand.NewPCG(seed, seed)).Perm(len(kind.all))
		for i, at := range order[:min(len(order), drawn)] {
			fmt.Fprintf(out, "%2d. %s\n", i+1, kind.all[at])
		}
		fmt.Fprintln(out)
	}
}
