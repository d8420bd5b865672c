package search_test

import "github.com/gitmem/gitmem/gitmem/internal/index"

func referenceTerms(text string) []string { return index.Terms(text) }

func referenceQuery(text string) []string { return index.QueryTerms(text) }
