package sweep

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// Cache is a directory of results by what they were made from. Several runs may use it at
// once. An entry that is damaged, or of something else, is as if it was not there. Errors
// are not kept: they name the file.
type Cache struct{ dir string }

// OpenCache creates the directory if there is none.
func OpenCache(dir string) (*Cache, error) { return &Cache{dir}, os.MkdirAll(dir, 0o777) }

// entry is the content of a file of the cache, sealed.
type entry struct {
	Key string `json:"key"`
	Result
}

func (c *Cache) path(key string) string { return filepath.Join(c.dir, key[:2], key[2:]+".json") }

// get returns the result for a key.
func (c *Cache) get(key string) (Result, bool) {
	data, err := os.ReadFile(c.path(key))
	if err != nil {
		return Result{}, false
	}
	text, ok := unseal(bytes.TrimSuffix(data, []byte("\n")))
	var e entry
	if !ok || json.Unmarshal(text, &e) != nil || e.Key != key || e.Error != "" || !e.whole() {
		return Result{}, false
	}
	return e.Result, true
}

// put keeps a result, unless it is an error. Readers see a whole entry or none.
func (c *Cache) put(key string, r Result) error {
	if r.Error != "" {
		return nil
	}
	text, err := json.Marshal(entry{key, r})
	if err != nil {
		return err
	}
	path := c.path(key)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return place(path, append(seal(text), '\n'), os.Rename)
}
