package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
)

// ErrStale is what Check returns for a file that is missing or has other bytes
// than would be generated now.
var ErrStale = errors.New("generated file is stale")

// maxLinks is how many symbolic links a path may lead through, as in Linux.
const maxLinks = 40

// WriteIfChanged makes data the content of the file at path and reports whether
// that changed anything; a file that has these bytes already is not touched.
// Readers see the old bytes or the new ones, never a part: the bytes go to a
// temporary file beside the target, to disk, and then get the target's name.
// The permissions of an existing file stay. A symbolic link stays one, and what
// it names is written, whether that exists or not.
func WriteIfChanged(path string, data []byte) (changed bool, err error) {
	target, err := followLinks(path)
	if err != nil {
		return false, err
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, replaceFile(target, data, nil)
	case err != nil:
		return false, err
	case info.IsDir():
		return false, &fs.PathError{Op: "write", Path: path, Err: errors.New("is a directory")}
	case !info.Mode().IsRegular():
		// A pipe or a terminal has no content to keep or to compare.
		return true, os.WriteFile(target, data, 0o666)
	}
	old, err := os.ReadFile(target)
	if err != nil {
		return false, err
	}
	if bytes.Equal(old, data) {
		return false, nil
	}
	mode := info.Mode().Perm()
	return true, replaceFile(target, data, &mode)
}

// followLinks returns what a path names in the end. Unlike filepath.EvalSymlinks
// it follows a link to a file that does not exist yet.
func followLinks(path string) (string, error) {
	for range maxLinks {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		next, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(next) {
			// Not Join: it would shorten "link/..", which means something else
			// where link is a link to a directory.
			next = filepath.Dir(path) + string(filepath.Separator) + next
		}
		path = next
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: errors.New("too many levels of symbolic links")}
}

// replaceFile puts data at path through a temporary file in the same directory.
// Without a mode the file gets what a new file gets. An error names path: the name
// of the temporary file says nothing to a user.
func replaceFile(path string, data []byte, mode *fs.FileMode) (err error) {
	defer func() {
		if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
			failed.Path = path
		}
	}()
	f, err := createBeside(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if mode != nil {
		if err = f.Chmod(*mode); err != nil {
			return err
		}
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	syncDir(filepath.Dir(path))
	return nil
}

// createBeside creates a temporary file in the directory of path. The name
// starts with a dot, so that neither go build nor a glob picks it up. Unlike
// os.CreateTemp it leaves the permissions to the umask.
func createBeside(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	for {
		name := fmt.Sprintf("%s.%s.%016x.tmp", dir, base, rand.Uint64())
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// syncDir makes a rename durable. Not every file system can, and the content is
// whole in any case, so a failure is none of the caller's.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}

// Check returns nil if the file at path has exactly the bytes want, and an error
// that wraps ErrStale if it has others or does not exist.
func Check(path string, want []byte) error {
	have, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w: it does not exist", path, ErrStale)
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(have, want) {
		return fmt.Errorf("%s: %w", path, ErrStale)
	}
	return nil
}

// Diff returns what WriteIfChanged would change, as a unified diff, which is
// empty for a file that is up to date. A file that does not exist counts as
// empty.
func Diff(path string, want []byte) (string, error) {
	have, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return string(diff.Diff(path, have, path+" (generated)", want)), nil
}
