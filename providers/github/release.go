package github

import "context"

// LatestRelease returns the tag of the newest release, which is neither a draft nor a preview.
func (s *Source) LatestRelease(ctx context.Context) (string, error) {
	var release struct {
		Tag string `json:"tag_name"`
	}
	_, err := s.get(ctx, "releases/latest", nil, "", &release)
	return release.Tag, err
}
