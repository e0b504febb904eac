import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { EventStream, HIDDEN_FOR_MS, SILENCE_MS } from "../../src/api/events";

interface Request {
  address: URL;
  lastId: string | null;
  signal: AbortSignal;
  push: (text: string) => void;
  close: () => void;
}

let requests: Request[];
let status: number;
let refuses: (topics: string[]) => boolean; // with a 400

function answer(address: string, init: RequestInit): Promise<Response> {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (own) => void (controller = own) });
  init.signal?.addEventListener("abort", () => controller.error(new DOMException("aborted", "AbortError")));
  requests.push({
    address: new URL(address, "http://server"),
    lastId: new Headers(init.headers).get("Last-Event-ID"),
    signal: init.signal as AbortSignal,
    push: (text) => controller.enqueue(new TextEncoder().encode(text)),
    close: () => controller.close(),
  });
  const topics = new URL(address, "http://server").searchParams.get("topics") ?? "";
  if (refuses(topics.split(","))) return Promise.resolve(new Response("{}", { status: 400 }));
  return Promise.resolve(status === 200 ? new Response(body) : new Response("{}", { status }));
}

const settle = (milliseconds = 100) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => {
  vi.useFakeTimers();
  requests = [];
  status = 200;
  refuses = () => false;
  vi.stubGlobal("fetch", answer);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the tab's stream of events", () => {
  it("asks once for the topics of all pages, with the filter of the jobs", async () => {
    const stream = new EventStream();
    stream.need("counts");
    stream.need("jobs", { state: "failed" });
    stream.need("counts");
    await settle();
    expect(requests).toHaveLength(1);
    expect(requests[0]?.address.search).toBe("?state=failed&topics=counts%2Cjobs");
    expect(stream.state.live).toBe(true);
  });

  it("tells what arrives", async () => {
    const stream = new EventStream();
    const heard: unknown[] = [];
    stream.listen((event) => heard.push(event));
    stream.need("attention");
    await settle();
    requests[0]?.push('id: 5\nevent: attention\ndata: {"total":3}\n\n');
    await settle();
    expect(heard).toEqual([{ type: "attention", data: { total: 3 } }]);
  });

  it("resumes with the last id when the connection ends", async () => {
    const stream = new EventStream();
    stream.need("counts");
    await settle();
    requests[0]?.push("id: 12\nevent: counts\ndata: {}\n\n");
    await settle();
    requests[0]?.close();
    await settle(1_000);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.lastId).toBe("12");
  });

  it("closes 30 seconds after the tab is hidden, and resumes when it is shown", async () => {
    const stream = new EventStream();
    stream.need("counts");
    await settle();
    stream.visibility(true);
    await settle(HIDDEN_FOR_MS - 1_000);
    expect(requests[0]?.signal.aborted).toBe(false);
    await settle(2_000);
    expect(requests[0]?.signal.aborted).toBe(true);
    expect(stream.state.live).toBe(false);
    stream.visibility(false);
    await settle();
    expect(requests).toHaveLength(2);
  });

  it("stays open for a tab that was hidden for a moment", async () => {
    const stream = new EventStream();
    stream.need("counts");
    await settle();
    stream.visibility(true);
    await settle(1_000);
    stream.visibility(false);
    await settle(HIDDEN_FOR_MS);
    expect(requests).toHaveLength(1);
  });

  it("waits for a login after a 401 instead of asking again", async () => {
    status = 401;
    const stream = new EventStream();
    stream.need("counts");
    await settle(60_000);
    expect(requests).toHaveLength(1);
    status = 200;
    stream.restartSoon();
    await settle();
    expect(stream.state.live).toBe(true);
  });

  it("asks again after failures of the server, less and less often", async () => {
    status = 503;
    const stream = new EventStream();
    stream.need("counts");
    await settle(60_000);
    expect(requests.length).toBeGreaterThan(5);
    expect(requests.length).toBeLessThan(12);
  });

  it("takes a connection that has gone silent for dead, and opens another", async () => {
    const stream = new EventStream();
    stream.need("counts");
    await settle();
    for (let beats = 0; beats < 4; beats += 1) {
      await settle(15_000);
      requests[0]?.push(": heartbeat\n\n");
    }
    expect(requests).toHaveLength(1);
    await settle(SILENCE_MS + 2_000);
    expect(requests[0]?.signal.aborted).toBe(true);
    expect(requests.length).toBeGreaterThan(1);
  });

  it("is not live while the server cannot read its database, though the connection is there", async () => {
    const stream = new EventStream();
    stream.need("counts");
    await settle();
    requests[0]?.push('event: health\ndata: {"database":"ok","since":"2026-11-30T10:00:00Z"}\n\n');
    await settle();
    expect(stream.state.live).toBe(true);
    requests[0]?.push('event: health\ndata: {"database":"unreachable","since":"2026-11-30T12:03:00Z"}\n\n');
    await settle();
    expect(stream.state).toEqual({ live: false, since: new Date("2026-11-30T12:03:00Z"), blind: true });
    requests[0]?.push('event: health\ndata: {"database":"ok","since":"2026-11-30T12:04:00Z"}\n\n');
    await settle();
    expect(stream.state.live).toBe(true);
    expect(requests).toHaveLength(1);
  });

  it("ends with the last page that needs it", async () => {
    const stream = new EventStream();
    const leave = stream.need("counts");
    await settle();
    leave();
    await settle();
    expect(requests[0]?.signal.aborted).toBe(true);
    expect(requests).toHaveLength(1);
  });

  it("says which topics do not go on where they were", async () => {
    const stream = new EventStream();
    const fresh: unknown[] = [];
    stream.listen((event) => event.type === "watching" && fresh.push(event.fresh));
    stream.need("jobs", { state: "failed" });
    stream.need("lanes");
    stream.need("job:7");
    stream.need("conversation:ab");
    await settle();
    requests[0]?.push("id: jobs=5c-17;lanes=8c;conversation:ab=81:81:/9\nevent: watching\ndata: {}\n\n");
    await settle();
    requests[0]?.close();
    await settle(1_000);
    requests[1]?.push("event: watching\ndata: {}\n\n");
    await settle();
    stream.need("nodes");
    stream.need("jobs", { state: "paused" });
    await settle();
    requests[2]?.push("event: watching\ndata: {}\n\n");
    await settle();
    expect(fresh).toEqual([["conversation:ab", "job:7", "jobs", "lanes"], [], ["jobs", "nodes"]]);
  });

  it("goes on without topics that the server refuses, until the pages need others", async () => {
    const stream = new EventStream();
    refuses = (topics) => topics.includes("jobs");
    stream.need("attention");
    stream.need("job:7");
    const leave = stream.need("jobs", { state: "foo" });
    await settle();
    expect(stream.state.live).toBe(true);
    expect(requests.at(-1)?.address.search).toBe("?topics=attention");
    leave();
    await settle();
    expect(requests.at(-1)?.address.searchParams.get("topics")).toBe("attention,job:7");
  });
});
