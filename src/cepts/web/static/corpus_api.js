// What the corpus pages ask of the server.

import { get, request } from "./api.js";
import { author } from "./identity.js";
import { listPath } from "./query.js";

const LONGEST = 20000; // ms for a save; after that it counts as not answered

export const fetchPage = (query, limit, signal) => get(listPath(query, limit), { signal });

export const fetchPair = (line, signal) => get(`/api/corpus/${line}`, { signal });

/** Put a correction onto the server, or take it away (null): the same for whoever saves. */
export function sendCorrection(line, state, version) {
  const path = `/api/corpus/${line}/correction`;
  const signal = AbortSignal.timeout(LONGEST);
  if (state === null) return request(`${path}?version=${version}`, { method: "DELETE", signal });
  return request(path, { method: "PUT", signal, body: { links: state, version, by: author() } });
}
