package redacttest

// form is a place for a value. In its text VALUE is the value; NAME, name,
// nameC and name- are what it is called: upper case, snake, camel and kebab.
type form struct{ form, text string }

// bare are places that say nothing about the value.
var bare = [...]form{
	{"prose", "I pasted VALUE by mistake, please forget it."},
	{"log", "2026-03-04T10:11:12.345Z level=info msg=\"client ready\" using=VALUE attempt=3"},
	{"json", `{"id":17,"value":"VALUE","ok":true}`},
	{"code", `	client := dial("VALUE", 30)`},
	{"markdown", "- use `VALUE` for staging"},
	{"shell", "$ tool deploy --with VALUE --region eu-west-1"},
	{"escaped json", `{"tool_input":"{\"arg\":\"VALUE\"}"}`},
	{"diff", "+    value: VALUE"},
	{"comment", "// VALUE"},
	{"xml", "<entry><value>VALUE</value></entry>"},
	{"yaml", "  - VALUE"},
	{"table", "| staging | VALUE | 2026-01-01 |"},
	{"argument", `print('VALUE', file=out)`},
	{"line", "VALUE"},
	{"numbered", "    12\tVALUE"},
}

// assigned are places that give the value to a name.
var assigned = [...]form{
	{"env", "NAME=VALUE"},
	{"export", "export NAME=\"VALUE\""},
	{"json", `  "name": "VALUE",`},
	{"yaml", "  name: VALUE"},
	{"go", `	const nameC = "VALUE"`},
	{"toml", `name = "VALUE"`},
	{"python", "name = 'VALUE'"},
	{"ini", "name=VALUE"},
	{"js", "const config = { nameC: 'VALUE', retries: 3 };"},
	{"docker", "docker run -e NAME=VALUE -p 80:80 app:latest"},
	{"terraform", `  name   = "VALUE"`},
	{"compose", "      - NAME=VALUE"},
	{"ruby", `ENV["NAME"] = "VALUE"`},
	{"flag", "serve --name-=VALUE --port 8080"},
	{"escaped json", `{"content":"{\"name\": \"VALUE\"}"}`},
	{"go struct", "\tcfg := Config{nameC: \"VALUE\"}"},
	{"properties", "app.name=VALUE"},
	{"shell log", "+ NAME=VALUE"},
}

// shaped is a kind of credential and what it looks like, see drawer.draw. One
// that does not show by itself whose it is has a name to stand beside.
type shaped struct{ kind, shape, name string }

// place is a credential in a text that has only it, between « and ».
type place struct{ kind, form, text string }
