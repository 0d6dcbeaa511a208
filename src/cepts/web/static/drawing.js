// From links as the server writes them to what draw.js draws.

/** Links [source, target, confidence | "S" | "P"] as draw.js wants them. */
export function drawnLinks(links) {
  return links.map(([source, target, last]) => {
    const link = { source, target, sure: last !== "P" };
    if (typeof last === "number") link.confidence = last;
    return link;
  });
}
