// A question as it is researched, and the search as one types.
"use strict";

let asking = new AbortController(); // of the question under way
const follows = `subscription Follow($question: String!, $asOf: String, $agent: Boolean) {
  ask(question: $question, asOf: $asOf, agent: $agent) { step { level lead from by gave } html }
}`;

// events gives the answers of a stream of events, one after the other.
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) throw new Error("the stream ended early");
    text += value;
    const whole = text.split("\n\n");
    text = whole.pop();
    for (const event of whole) {
      if (event.startsWith("event: complete")) return;
      const data = event.split("\n").find((line) => line.startsWith("data: "));
      if (data) yield JSON.parse(data.slice(6));
    }
  }
}

// ways are the ways in which a step was come to, in words; leads have a relation, such as "closes".
const ways = {
  question: "The question", index: "Index of", reading: "Read as", strategy: "Searched by", words: "Searched for",
  "its text": "Read", claim: "Checked", model: "Model",
};

// told adds a step to the trail; that of an index takes the place of the one before.
function told(step, trail) {
  const li = document.createElement("li");
  li.dataset.of = step.by + " " + step.lead;
  const way = ways[step.by] || `Followed from ${step.from}, ${step.by}`;
  const text = `${way}: ${step.lead}${step.gave && " → "}${step.gave}`;
  li.textContent = text.replace(/\b([0-9a-f]{12})[0-9a-f]{28}\b/g, "$1");
  const last = trail.lastElementChild;
  if (step.by === "index" && last && last.dataset.of === li.dataset.of) last.replaceWith(li);
  else trail.append(li);
  trail.scrollTop = trail.scrollHeight;
}

// ask follows a question on the page: its trail, and then its answer.
async function ask(place, trail) {
  asking = new AbortController();
  place.textContent = "Researching…";
  const variables = { question: place.dataset.ask, asOf: place.dataset.asOf || null, agent: place.dataset.agent !== undefined };
  try {
    const response = await request("/graphql", {
      method: "POST", signal: asking.signal, body: JSON.stringify({ query: follows, variables }),
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    });
    if (!response.ok) throw new Error(await response.text());
    for await (const { data, errors } of events(response)) {
      if (errors) throw new Error(errors.map((e) => [e.message, e.extensions?.advice].filter(Boolean).join(": ")).join("\n"));
      if (data.ask.step) told(data.ask.step, trail);
      if (data.ask.html) {
        trail.parentElement.open = false;
        render(data.ask.html, place);
      }
    }
  } catch (e) {
    if (e.name !== "AbortError") place.textContent = "Not answered: " + e.message;
  }
}

addEventListener("rendered", (e) => {
  if (e.target !== main) return;
  asking.abort();
  const place = main.querySelector("[data-ask]");
  if (place) ask(place, document.getElementById("trail"));
  const field = document.querySelector("header input[name=q]");
  if (document.activeElement !== field) field.value = location.pathname === "/search" ? new URL(location.href).searchParams.get("q") || "" : "";
});
