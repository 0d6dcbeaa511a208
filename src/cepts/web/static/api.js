// The server's API: one way to ask, and one kind of error.

/** What the server refused, or that it could not be reached; the message is a sentence for people. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {number} status of HTTP, or 0 where nothing was answered
   * @param {any} answer the body, where there was one
   */
  constructor(message, status = 0, answer = null) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.answer = answer;
  }
}

const TOKEN = "cepts-token";

/** The token for writing, kept until the browser's tab is closed. */
export function token() {
  try {
    return sessionStorage.getItem(TOKEN) ?? "";
  } catch {
    return "";
  }
}

/** Keep the token for writing. */
export function setToken(value) {
  try {
    sessionStorage.setItem(TOKEN, value);
  } catch {
    // Storage may be forbidden: then it is asked for again.
  }
}

/**
 * Ask the server and return its JSON.
 * @param {string} path such as "/api/info"
 * @param {{method?: string, body?: any, signal?: AbortSignal}} options
 */
export async function request(path, { method = "GET", body, signal } = {}) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token()) headers.Authorization = `Bearer ${token()}`;
  const sent = { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) };
  const answer = await reach(path, sent);
  const content = await answer.json().catch((error) => {
    if (error.name === "AbortError") throw error;
    return null;
  });
  if (!answer.ok) throw new ApiError(sentenceOf(answer, content), answer.status, content);
  return content;
}

async function reach(path, sent) {
  try {
    return await fetch(path, sent);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server does not answer. Is `cepts serve` still running?");
  }
}

function sentenceOf(answer, content) {
  if (typeof content?.error === "string") return asSentence(content.error);
  return `The server answered with status ${answer.status}.`;
}

/** A message of the server's as a sentence: with a capital and a full stop. */
function asSentence(text) {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** @param {string} path @param {{signal?: AbortSignal}} options */
export const get = (path, options = {}) => request(path, options);

/** @param {string} path @param {any} body @param {{signal?: AbortSignal}} options */
export const post = (path, body, options = {}) => request(path, { ...options, method: "POST", body });

let known = null;

/** What is served: models, corpus, limits. Asked for once. */
export function info() {
  known ??= get("/api/info").catch((error) => {
    known = null;
    throw error;
  });
  return known;
}
