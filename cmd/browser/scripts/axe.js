// What axe-core finds in a page, one finding for each kind and place.
async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.flatMap((v) => v.nodes.slice(0, 3).map((n) => ({
    id: v.id, impact: v.impact, help: `${v.help} (${v.nodes.length} places)`,
    where: n.html.slice(0, 160), why: (n.failureSummary || "").replace(/\s+/g, " ").slice(0, 240),
  })));
}
