// Failures as values that pages can show. `code` is for programs, `detail` for people (docs/api.md).

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly errors: readonly string[] = [],
  ) {
    super(detail || code);
    this.name = "Problem";
  }
}

/** Status 0: the server gave no answer. */
export const unreachable = () => new Problem(0, "unreachable", "The server does not answer.");

export const late = (milliseconds: number) =>
  new Problem(0, "late", `The server did not answer within ${milliseconds <= 60_000 ? "a minute" : `${Math.round(milliseconds / 60_000)} minutes`}.`);

export function problemOf(status: number, body: unknown): Problem {
  const told = (body ?? {}) as { code?: unknown; detail?: unknown; errors?: unknown; problems?: unknown };
  const code = typeof told.code === "string" ? told.code : "unknown";
  const detail = typeof told.detail === "string" ? told.detail : `The server answered ${status}.`;
  const errors = Array.isArray(told.errors) ? told.errors.map(String) : Array.isArray(told.problems) ? told.problems.map(problemText) : [];
  return new Problem(status, code, detail, errors);
}

/** A problem of a flow in one line. */
export function problemText(problem: unknown): string {
  const { node, path, message, hint } = problem as { node?: string; path?: string; message?: string; hint?: string };
  return [`${node ?? path ?? ""}: ${message ?? ""}`, hint].filter(Boolean).join(" ");
}

/** Mistakes by the member that each is in: "cron: hour (column 3) …". Those of none are not there. */
export function mistakesOf(error: unknown): ReadonlyMap<string, string> {
  const mistakes = new Map<string, string>();
  if (!(error instanceof Problem)) return mistakes;
  for (const text of error.errors) {
    const [, member, words] = /^([a-z_]+)(?:: (.*)| is missing$)/s.exec(text) ?? [];
    if (member !== undefined && !mistakes.has(member)) mistakes.set(member, words ?? text);
  }
  return mistakes;
}

export const isAbsent = (error: unknown) => error instanceof Problem && error.status === 404;
/** The server is away, or cannot do its work now: the same request may succeed later. */
export const isOutage = (error: unknown) => error instanceof Problem && (error.status === 0 || error.status >= 500);
/** It is not what the person saw any more. */
export const isOutdated = (error: unknown) => error instanceof Problem && error.status === 412;
export const isForbidden = (error: unknown) => error instanceof Problem && error.status === 403;

/** What is said of a failure, nothing twice: the words for the whole may be its mistakes in a row. */
export function reasonsOf(error: unknown): { words: string; mistakes: readonly string[] } {
  const words = wordsOf(error);
  const mistakes = error instanceof Problem ? [...new Set(error.errors)] : [];
  const isSaid = (text: string) => words.includes(text);
  if (mistakes.length <= 1 && mistakes.every(isSaid)) return { words, mistakes: [] };
  return { words: mistakes.every(isSaid) ? "" : words, mistakes };
}

/** Each of its mistakes is in one of these members. */
export function isOfMembers(error: unknown, members: readonly string[]): boolean {
  const told = mistakesOf(error);
  return error instanceof Problem && told.size > 0 && told.size === error.errors.length && [...told.keys()].every((member) => members.includes(member));
}

export function wordsOf(error: unknown): string {
  if (error instanceof Problem) return error.detail;
  return error instanceof Error ? error.message : String(error);
}
