//go:build !unix

package git

import (
	"errors"
	"os"
)

// mapFile maps nothing: a file that is mapped can't be removed here, and git
// would fail to replace its packs.
func mapFile(*os.File, int64) (data []byte, release func(), err error) {
	return nil, nil, errors.New("files are not mapped on this system")
}
