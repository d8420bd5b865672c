package remote

import (
	"slices"

	"github.com/gitmem/gitmem/providers"
)

// AddPeople adds people to a list, without duplicates, without the author and without bots.
func AddPeople(list []providers.Person, author providers.Person, more ...providers.Person) []providers.Person {
	for _, p := range more {
		if p.Name != "" && p != author && !providers.IsBot(p.Name, "") && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}
