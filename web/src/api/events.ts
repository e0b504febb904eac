// The tab's one stream of events. Pages say which topics they need while they are mounted; the stream has
// the union of them. It closes 30 s after the tab is hidden and resumes by the last id. Topics that the server
// refuses, such as one with an invalid id, do not take the others with them.
import { addressOf, type Query, send } from "./client";
import { FrameReader } from "./frames";
import { parseJson } from "./json";

export interface StreamState {
  live: boolean;
  since: Date;
  /** The server has no stream. */
  absent?: boolean;
  /** The connection is there, and the server says that its database does not answer. */
  blind?: boolean;
}
export interface StreamEvent {
  type: string;
  data: Record<string, unknown>;
  /** Of `watching`: the topics that do not continue where the last connection ended. */
  fresh?: readonly string[];
}

export const HIDDEN_FOR_MS = 30_000;
/** The server sends something every 15 s; a connection that is silent for longer is dead. */
export const SILENCE_MS = 40_000;
const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000];

export class EventStream {
  private topics = new Map<string, number>(); // to the number of pages that need it
  private filter: Query = {};
  private lastId = "";
  private refused = false; // a topic with an id, or the filter: the others are asked for alone
  private watched = new Set<string>(); // by the last connection that began, with the filter of the jobs
  private failures = 0;
  private running: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hiding: ReturnType<typeof setTimeout> | undefined;
  private hidden = false;
  private listeners = new Set<(event: StreamEvent) => void>();
  private watchers = new Set<() => void>();
  state: StreamState = { live: false, since: new Date() };

  /** Returns what ends the subscription. `filter` is that of the topic `jobs`. */
  need(topic: string, filter?: Query): () => void {
    this.topics.set(topic, (this.topics.get(topic) ?? 0) + 1);
    if (topic === "jobs" && filter) this.filter = filter;
    this.refused = false;
    this.restartSoon();
    return () => {
      const left = (this.topics.get(topic) ?? 1) - 1;
      if (left > 0) this.topics.set(topic, left);
      else this.topics.delete(topic);
      if (topic === "jobs") this.filter = {};
      this.refused = false;
      this.restartSoon();
    };
  }

  listen(listener: (event: StreamEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  visibility(hidden: boolean): void {
    clearTimeout(this.hiding);
    if (hidden) {
      this.hiding = setTimeout(() => {
        this.hidden = true;
        this.stop();
      }, HIDDEN_FOR_MS);
    } else if (this.hidden) {
      this.hidden = false;
      this.restartSoon();
    }
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running?.abort();
    this.running = undefined;
    this.tell(false);
  }

  // Pages mount and unmount together: one new request serves them all.
  restartSoon(delay = 20): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), delay);
  }

  private async run(): Promise<void> {
    this.running?.abort();
    if (this.hidden || this.asked().length === 0) return this.tell(false);
    const own = new AbortController();
    this.running = own;
    try {
      await this.read(own.signal);
      this.failures = 0;
    } catch (error) {
      if (own.signal.aborted) return;
      const status = (error as { status?: number }).status;
      if ((status === 400 || status === 403) && !this.refused) {
        this.refused = true;
        return this.restartSoon();
      }
      if (status === 401 || status === 403) return this.tell(false); // until somebody signs in
      if (status === 404) return this.tell(false, true);
      this.failures += 1;
    }
    if (own.signal.aborted) return;
    own.abort();
    this.tell(false);
    this.restartSoon(RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)]);
  }

  private asked(): string[] {
    const topics = [...this.topics.keys()].sort();
    return this.refused ? topics.filter((topic) => topic !== "jobs" && !topic.includes(":")) : topics;
  }

  /** Remembers what is watched from now on. `lastId`: what the server continues from. */
  private begin(topics: readonly string[], query: Query, lastId: string): string[] {
    const places = new Set(lastId.split(";").map((place) => place.slice(0, place.indexOf("="))));
    const watchOf = (topic: string) => (topic === "jobs" ? `jobs ${JSON.stringify({ ...query, topics: "" })}` : topic);
    const isFresh = (topic: string) => !this.watched.has(watchOf(topic)) || !places.has(topic.startsWith("job:") ? "jobs" : topic);
    const fresh = topics.filter(isFresh);
    this.watched = new Set(topics.map(watchOf));
    return fresh;
  }

  private async read(signal: AbortSignal): Promise<void> {
    const topics = this.asked();
    const filter = topics.includes("jobs") ? this.filter : {};
    const query = { ...filter, topics: topics.join(",") };
    const lastId = this.lastId;
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (lastId) headers["Last-Event-ID"] = lastId;
    const response = await send("GET", addressOf("/api/v1/events", { query }), undefined, { signal, headers, streams: true });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!reader) return;
    this.failures = 0;
    this.tell(true);
    const frames = new FrameReader();
    for (;;) {
      const { done, value } = await withinSilence(reader.read());
      if (done) return;
      for (const frame of frames.push(value)) {
        if (frame.id !== undefined) this.lastId = frame.id;
        if (!frame.data) continue;
        const event: StreamEvent = { type: frame.event, data: parseJson(frame.data) as Record<string, unknown> };
        if (event.type === "watching") event.fresh = this.begin(topics, query, lastId);
        if (event.type === "health") this.hear(event.data);
        for (const listener of this.listeners) listener(event);
      }
    }
  }

  /** Whether the server can read what it tells of. */
  private hear({ database, since }: Record<string, unknown>): void {
    if (database === "ok") return this.tell(true);
    if (!this.state.live) return;
    const told = new Date(String(since));
    this.become({ live: false, since: Number.isNaN(told.getTime()) ? new Date() : told, blind: true });
  }

  private tell(live: boolean, absent = false): void {
    if (this.state.live !== live || (this.state.absent ?? false) !== absent) this.become({ live, since: new Date(), absent });
  }

  private become(state: StreamState): void {
    this.state = state;
    for (const watcher of this.watchers) watcher();
  }
}

async function withinSilence<Value>(piece: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the stream is silent")), SILENCE_MS);
  });
  try {
    return await Promise.race([piece, silence]);
  } finally {
    clearTimeout(timer);
  }
}

export const stream = new EventStream();
if (typeof document !== "undefined")
  document.addEventListener("visibilitychange", () => stream.visibility(document.hidden));
