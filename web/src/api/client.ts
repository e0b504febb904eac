// The one place that asks the server. Answers are typed by the API's own description (schema.gen.ts); failures
// are thrown as a Problem. A 401 is also told to whoever shows the login.
import { parseJson, printJson } from "./json";
import { late, problemOf, unreachable } from "./problem";
import type { components, paths } from "./schema.gen";

export type Schema = components["schemas"];

export type PathsWith<Method extends string> = {
  [Path in keyof paths]: paths[Path] extends { [M in Method]: { responses: unknown } } ? Path : never;
}[keyof paths];
type Answer<Operation> = Operation extends { responses: { 200: { content: { "application/json": infer Body } } } }
  ? Body
  : Operation extends { responses: { 201: { content: { "application/json": infer Made } } } }
    ? Made
    : unknown;
export type Described<Path extends keyof paths, Method extends string> = paths[Path] extends { [M in Method]: infer Operation }
  ? Answer<Operation>
  : unknown;

export type Query = Record<string, string | number | boolean | undefined>;
interface Options {
  params?: Record<string, string | number>;
  query?: Query;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** An answer that goes on: it has no deadline as a whole. */
  streams?: boolean;
  /** Until the answer is there, in milliseconds: for a large body. */
  deadline?: number;
}

export const DEADLINE_MS = 60_000;

export const loginRequired = new EventTarget();

/** "/jobs/{id}" with its parameters and query filled in. Empty query values are left out. */
export function addressOf(path: string, { params = {}, query = {} }: Options = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") search.set(name, String(value));
  return search.size ? `${filled}?${search}` : filled;
}

/** `body`: a file is sent as it is, anything else as JSON. */
export async function send(method: string, address: string, body?: unknown, options: Options = {}): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json", ...options.headers };
  const file = body instanceof Blob ? body : undefined;
  if (body !== undefined) headers["Content-Type"] = file ? file.type || "application/octet-stream" : "application/json";
  const init: RequestInit = { method, headers, credentials: "same-origin", cache: "no-store" };
  if (body !== undefined) init.body = file ?? printJson(body);
  const patience = options.deadline ?? DEADLINE_MS;
  const deadline = options.streams ? undefined : AbortSignal.timeout(patience);
  const signals = [options.signal, deadline].filter((signal) => signal !== undefined);
  if (signals.length > 0) init.signal = AbortSignal.any(signals);
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw deadline?.aborted ? late(patience) : unreachable();
  }
  if (response.ok) return response;
  const problem = problemOf(response.status, await read(response).catch(() => null));
  if (response.status === 401) loginRequired.dispatchEvent(new Event("login"));
  throw problem;
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  return text ? parseJson(text) : null;
}

async function ask(method: string, path: string, body: unknown, options: Options): Promise<unknown> {
  return read(await send(method, addressOf(path, options), body, options));
}

export const get = <Path extends PathsWith<"get">>(path: Path, options: Options = {}) =>
  ask("GET", path as string, undefined, options) as Promise<Described<Path, "get">>;
export const post = <Path extends PathsWith<"post">>(path: Path, body?: unknown, options: Options = {}) =>
  ask("POST", path as string, body, options) as Promise<Described<Path, "post">>;
export const put = <Path extends PathsWith<"put">>(path: Path, body?: unknown, options: Options = {}) =>
  ask("PUT", path as string, body, options) as Promise<Described<Path, "put">>;
export const patch = <Path extends PathsWith<"patch">>(path: Path, body?: unknown, options: Options = {}) =>
  ask("PATCH", path as string, body, options) as Promise<Described<Path, "patch">>;
export const remove = <Path extends PathsWith<"delete">>(path: Path, options: Options = {}) =>
  ask("DELETE", path as string, undefined, options) as Promise<Described<Path, "delete">>;
