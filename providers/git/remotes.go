package git

import "fmt"

// Remote is a configured remote repository.
type Remote struct {
	// Name is unique, such as origin.
	Name string
	// URLs are as written in the configuration, including any credentials; the first one is used for fetching.
	URLs []string
}

// Remotes returns the remotes of the repository's own configuration, in file order: the shared file and, if
// it is enabled, that of the work tree. Included files and the user's configuration are not read: see
// [Repository.RemoteURLs]. For a damaged configuration it returns the remotes before the damage, and an error
// with the file and the line.
func (r *Repository) Remotes() ([]Remote, error) {
	cfg, err := readConfig(r.loc.GitDir, r.loc.CommonDir)
	var out []Remote
	at := map[string]int{}
	for _, e := range cfg {
		if e.Section != "remote" || e.Subsection == "" {
			continue
		}
		i, known := at[e.Subsection]
		if !known {
			i = len(out)
			at[e.Subsection] = i
			out = append(out, Remote{Name: e.Subsection})
		}
		if e.Key == "url" {
			out[i].URLs = append(out[i].URLs, e.Value)
		}
	}
	if err != nil {
		return out, fmt.Errorf("remotes: %w", err)
	}
	return out, nil
}
