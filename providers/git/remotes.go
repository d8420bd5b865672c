package git

import "fmt"

// Remote is another place of the same repository.
type Remote struct {
	// Name is unique, such as origin.
	Name string
	// URLs are as written in the configuration, credentials included if somebody
	// put them there; the first is fetched from.
	URLs []string
}

// Remotes returns the remotes of the repository's own configuration, in file
// order: the shared file and, where it is switched on, the one of the work tree.
// Files that it includes and the user's own are not read: see [Repository.RemoteURLs].
// With a damaged configuration it returns what is before the
// damage and an error that names the file and the line.
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
