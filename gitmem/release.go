package gitmem

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/github"
)

// Home is the page of gitmem.
const Home = "https://github.com/gitmem/gitmem"

// releaseTime is the time limit for the request.
const releaseTime = 10 * time.Second

var releaseTag = lazy.Pattern(`^v[0-9]+\.[0-9]+\.[0-9]+$`)

// LatestRelease asks GitHub, without credentials, for the tag of gitmem's newest release. Of the options it
// reads Getenv, Now, Offline and Transport.
func LatestRelease(ctx context.Context, o Options) (string, error) {
	advice := "see " + Home + "/releases"
	if o.IsOffline() {
		return "", &messages.Refusal{Reason: "GITMEM_OFFLINE is set, so that no server is asked for the newest release",
			Advice: "unset it, or " + advice}
	}
	server, err := github.New("gitmem", "gitmem", github.Options{Transport: o.Transport, Now: o.Now})
	if err != nil {
		return "", err
	}
	waiting, cancel := WithTimeout(ctx, o.Now, releaseTime)
	defer cancel()
	tag, err := server.LatestRelease(waiting)
	switch {
	case err == nil && !releaseTag().MatchString(tag):
		err = fmt.Errorf("github: it names %.40q, which is no version: %w", tag, providers.ErrMalformed)
	case ctx.Err() == nil && errors.Is(waiting.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("github: no answer in %v", releaseTime)
	}
	if err != nil {
		return "", &messages.Refusal{Reason: fmt.Sprintf("the newest release is not known: %s", ErrorText(err)),
			Advice: advice}
	}
	return tag, nil
}
