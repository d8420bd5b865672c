package ask

import "github.com/gitmem/gitmem/gitmem/internal/index"

// lightWeight is what a light word counts of its rarity.
const lightWeight = 0.25

// light is the set of stems of everyday words that shape a question but name
// nothing in a project: a source says the same without them. They stay in the
// search and count less in the weighing. Words that a project may well be about
// (file, test, run, error …) are not among them, and neither are verbs of change.
func light() map[string]bool {
	const words = `
		able about above across actual afterwards ahead allow almost alone along already also alternatively although always
		another anybody anyone anything anyway anywhere apart around ask aside available away
		back bad basically become before begin behind being belong below beside better beyond big both bring
		call came can care cause certain certainly clearly come common completely consider could course current currently
		day deal decide definitely depend different difficult directly easy effectively either else enough entire especially
		even eventually ever every everybody everyone everything everywhere exact exactly except expect extra
		far few final finally find first follow former forward found frequently front full further
		general generally get give given go good great
		half happen happy hard hardly have help hence hold hope however huge
		idea immediately important indeed inside instead interest
		just keep kind know large last late later latter least leave left less let like likely little long longer look lot
		made main mainly make many matter maybe mean meant mention might mind more most mostly much must
		name namely near nearest nearly necessary need neither never nevertheless new newly next nobody none nor normal normally nothing now nowhere number
		obvious obviously offer often okay old older one only onto open opposite order ordinary other otherwise ought outside overall own
		part particular particularly people perhaps person pick place plain please point possible possibly prefer present press previous previously probably problem properly purpose put
		question quick quickly quite rather ready real really reason recent recently regard related relevant remain respective rest result right
		same say second see seem self sense separate several shall should show side similar simple simply since single small somebody someone something sometimes somewhere soon sort special specific start still stop straight stuff such sudden suddenly suppose sure
		take talk tell tend thank than then thereby therefore thing think third though thought together too total totally toward tried true truly try turn twice two
		unless until upon usual usually various want way well went whatever whenever where whereas whether which while whoever whole why wide will within without word work world worse worth would wrong yet
		three four five six seven eight nine ten dozen week month year`
	set := map[string]bool{}
	for _, t := range index.Terms(words) {
		set[t] = true
	}
	return set
}
