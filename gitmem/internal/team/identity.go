package team

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/providers"
)

// Person is somebody under all names that a history has for them.
type Person struct {
	Name    string   `json:"name"`
	Email   string   `json:"email"`
	Aliases []string `json:"-"` // the other "Name <address>" of the same person, sorted
	Bot     bool     `json:"-"`
}

// SplitName takes "Name <address>" apart.
func SplitName(s string) (name, email string) {
	name, email, _ = strings.Cut(s, "<")
	return strings.TrimSpace(name), strings.TrimSpace(strings.TrimSuffix(email, ">"))
}

// identify finds out which names are one person, and what each is best called. uses
// is how often each name occurs. It returns the people and, by name, whose it is.
//
// Names are one person who have the same address; the same login, as GitHub writes it
// into addresses or people use it as their name; the same full name of two words or
// more; or the same rare part before the @ and a word of the name in common. Two people
// of one full name in one repository are taken for one: that is far less common than
// one person with two addresses. A lone first name such as John joins nobody.
func identify(names []string, uses []int) ([]Person, []int32) {
	set := newSets(len(names))
	byKey := map[string]int{}
	order := slices.Clone(set) // or who is whose would depend on the order of arrival
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(names[a], names[b]) })
	for _, i := range order {
		for _, key := range keysOf(names[i]) {
			if providers.IsBot(SplitName(names[i])) {
				key = "bot " + key // or its owner would be one
			}
			if first, ok := byKey[key]; ok {
				set.join(first, i)
			} else {
				byKey[key] = i
			}
		}
	}
	members := map[int][]int{}
	for _, i := range order {
		members[set.find(i)] = append(members[set.find(i)], i)
	}
	people, nameOf := []Person{}, make([]int32, len(names))
	for _, i := range order {
		list, first := members[set.find(i)]
		if !first || list[0] != i {
			continue
		}
		for _, j := range list {
			nameOf[j] = int32(len(people))
		}
		people = append(people, personOf(names, uses, list))
	}
	return people, nameOf
}

// keysOf are the keys that make names one person.
func keysOf(s string) []string {
	name, email := SplitName(s)
	name, email = normalised(name), strings.ToLower(email)
	local, domain, _ := strings.Cut(email, "@")
	var keys []string
	if local != "" && domain != "" && !isGenericName(local) && !strings.HasPrefix(domain, "localhost") &&
		domain != "example.com" {
		keys = append(keys, "address "+email)
	}
	if login, ok := loginOfNoreply(local, domain); ok {
		keys = append(keys, "login "+login)
	} else if isHandle(local) {
		for _, w := range strings.Fields(name) {
			if len(w) >= 3 && strings.Contains(lettersAndDigits(local), w) {
				keys = append(keys, "local "+local+" "+w)
			}
		}
		if lettersAndDigits(local) == lettersAndDigits(name) {
			keys = append(keys, "login "+local)
		}
	}
	switch words := strings.Fields(name); {
	case len(words) >= 2 && len(name) >= 6 && !isGenericName(words[0]):
		keys = append(keys, "name "+name)
	case len(words) == 1 && isHandle(name):
		keys = append(keys, "login "+name)
	}
	return keys
}

// loginOfNoreply reads the login out of an address that GitHub hides people's own behind:
// 123+login@users.noreply.github.com, or without the number in old commits.
func loginOfNoreply(local, domain string) (string, bool) {
	if !strings.HasPrefix(domain, "users.noreply.") || local == "" {
		return "", false
	}
	if number, login, ok := strings.Cut(local, "+"); ok && strings.Trim(number, "0123456789") == "" {
		return login, login != ""
	}
	return local, true
}

// Login is the name of the person's account on a forge, as an address that the forge made
// for them tells it; "" where none does.
func (p Person) Login() string {
	for _, name := range append([]string{"<" + p.Email + ">"}, p.Aliases...) {
		_, email := SplitName(name)
		local, domain, _ := strings.Cut(email, "@")
		if login, ok := loginOfNoreply(local, domain); ok {
			return login
		}
	}
	return ""
}

// isHandle reports whether a lone word is likely to be one person's only: long enough, and
// no word that anybody may use.
func isHandle(s string) bool {
	return len(s) >= 5 && !isGenericName(s) && !isFirstName(s)
}

// isGenericName reports whether a name says nothing of who it is.
func isGenericName(s string) bool {
	return isOneOf(" root admin administrator user users unknown nobody none (none) ubuntu vagrant git github gitlab "+
		"noreply no-reply "+
		"mail email info hello contact office support help dev developer developers build test your you username name me "+
		"code work opensource oss team apple macbook localhost anonymous jenkins runner actions ", s)
}

// isFirstName recognises the most common given names, which many share.
func isFirstName(s string) bool {
	return isOneOf(" aaron adrian alexander alexey andre andreas andrei andrew andrey anton antonio arthur brian bruno "+
		"carlos chris "+
		"christian christopher craig daniel david denis dennis dmitry dominik edward emily frank george henry jacob james "+
		"jason jonas jonathan joseph joshua julia julian justin kevin laura lucas lukas marco marcus maria mario markus "+
		"martin matthew maxim michael michel mikhail nathan nicholas nicolas oliver pablo patrick pavel peter philip "+
		"philipp "+
		"pierre robert roman samuel sarah scott sebastian sergey simon stefan stephan stephen steve steven thomas timothy "+
		"tobias victor vincent vladimir william ", s)
}

// isOneOf reports whether a word is in a list of words between blanks.
func isOneOf(list, word string) bool { return word != "" && strings.Contains(list, " "+word+" ") }

// normalised makes names comparable: lower case, one space between words.
func normalised(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// lettersAndDigits keeps the letters and digits of a name.
func lettersAndDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// personOf chooses what a person is called: the name used most among those of more
// than one word, or else of all, and the address used most that is no hidden one.
func personOf(names []string, uses []int, list []int) Person {
	ranked := slices.Clone(list)
	slices.SortFunc(ranked, func(a, b int) int {
		return cmp.Or(cmp.Compare(uses[b], uses[a]), cmp.Compare(names[a], names[b]))
	})
	var p Person
	spaced, hidden := false, true
	for _, i := range ranked {
		name, email := SplitName(names[i])
		if s := strings.Contains(name, " "); p.Name == "" || (s && !spaced) {
			p.Name, spaced = name, s
		}
		if h := strings.Contains(email, "noreply"); p.Email == "" || (hidden && !h && email != "") {
			p.Email, hidden = email, h
		}
		p.Bot = p.Bot || providers.IsBot(name, email)
	}
	best := p.Name + " <" + p.Email + ">"
	for _, i := range list {
		if names[i] != best {
			p.Aliases = append(p.Aliases, names[i])
		}
	}
	return p
}

// sets are disjoint sets of numbers.
type sets []int

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sets) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

func (s sets) join(a, b int) {
	a, b = s.find(a), s.find(b)
	s[max(a, b)] = min(a, b)
}
