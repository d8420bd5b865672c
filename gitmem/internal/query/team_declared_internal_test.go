package query

import (
	"testing"
)

func TestDeclarationOf(t *testing.T) {
	t.Parallel()
	for line, declares := range map[string]bool{
		"func Load() error {":                        true,
		"func (r *Repo) Load(ctx Context) error {":   true,
		"type Load struct {":                         true,
		"    def Load(self):":                        true,
		"class Load(Base):":                          true,
		"pub(crate) fn Load<T>() {":                  true,
		"export default async function Load() {":     true,
		"export const Load = () => {":                true,
		"  private enum Load {":                      true,
		"#define Load 1":                             true,
		"static int Load(const char *name) {":        true,
		"struct node *Load(int n)":                   true,
		"    public static List<Item> Load(int n) {": true,
		"    return Load(n)":                         false,
		"Load: int = 3":                              true,
		"int Load(int n);":                           false,
		"x := Load()":                                false,
		"Load(x)":                                    false,
		"if Load == 3 {":                             false,
		"func Loader() {":                            false,
		"// type Loader of Load":                     false,
	} {
		if declarationOf("Load").MatchString(line) != declares {
			t.Errorf("%q: want %v", line, declares)
		}
	}
}
