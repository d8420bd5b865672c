package embed

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/embed/bert"
)

var (
	trainedIn = flag.String("trained", "", "folder of the tensors of a classifier, of which its file is made")
	carried   = flag.String("carried", "../../../templates/meaning",
		"folder of the encoder; the classifier's file is written beside it")
)

// TestBuildClassifier writes the file of the built-in classifier, see cmd/bench/meaning.
func TestBuildClassifier(t *testing.T) {
	if *trainedIn == "" {
		t.Skip("it makes the classifier's file: -trained FOLDER")
	}
	data, err := os.ReadFile(filepath.Join(*carried, encoderFile))
	if err != nil {
		t.Fatal(err)
	}
	e, err := OpenEncoder(data)
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(filepath.Join(*trainedIn, tensorsFile))
	if err != nil {
		t.Fatal(err)
	}
	all, err := parseTensors(src)
	if err != nil {
		t.Fatal(err)
	}
	r := &tensorReader{all: all}
	c := bert.TrainedClassifier{Shared: e.model.Layers}
	for i := e.model.Layers - 1; i >= 0 && all[fmt.Sprintf("encoder.layer.%d.output.dense.weight", i)].data != nil; i-- {
		c.Shared = i
	}
	for i := c.Shared; i < e.model.Layers; i++ {
		c.Stack = append(c.Stack, r.layer(fmt.Sprintf("encoder.layer.%d.", i)))
	}
	for i := 0; all[fmt.Sprintf("heads.%d.weight", i)].data != nil; i++ {
		c.Heads = append(c.Heads, r.linear(fmt.Sprintf("heads.%d", i)))
	}
	if r.err != nil {
		t.Fatal(r.err)
	}
	var samples [][]int32
	for _, text := range []string{"why did we drop the cache?",
		"We decided to keep the queue in Postgres, since it is backed up.", "ok", "TODO: rotate the keys"} {
		samples = append(samples, e.pair(Passage{"user: that looks good", text}).Pieces)
	}
	file, err := c.Build(t.Context(), e.model, samples)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*carried, "sentences.gmpair"), file, 0o644); err != nil {
		t.Fatal(err)
	}
}
