import { afterEach, describe, expect, it, vi } from "vitest";

import { DEADLINE_MS, get, loginRequired, post, send } from "../../src/api/client";
import { Problem } from "../../src/api/problem";

const answer = (status: number, body: unknown) => vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(body), { status })));
const failureOf = (request: Promise<unknown>) => request.then(() => undefined, (error: unknown) => error as Problem);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("requests", () => {
  it("fail with the server's code and words", async () => {
    answer(409, { code: "over", detail: "it has completed already", errors: ["a"] });
    const failure = await failureOf(post("/api/v1/jobs/{id}/pause", {}, { params: { id: 5 } }));
    expect(failure).toMatchObject({ status: 409, code: "over", detail: "it has completed already", errors: ["a"] });
  });

  it("fail readably where a proxy answers instead", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("<html>Bad gateway</html>", { status: 502 })));
    expect(await failureOf(get("/api/v1/jobs"))).toMatchObject({ status: 502, code: "unknown" });
  });

  it("ask for a login where the session is over", async () => {
    answer(401, { code: "login_required" });
    const asked = vi.fn();
    loginRequired.addEventListener("login", asked);
    await failureOf(get("/api/v1/jobs"));
    loginRequired.removeEventListener("login", asked);
    expect(asked).toHaveBeenCalledOnce();
  });

  it("say that the server is away", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("network")));
    expect(await failureOf(get("/api/v1/jobs"))).toMatchObject({ status: 0, code: "unreachable" });
  });

  it("end after their deadline", async () => {
    const deadline = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(deadline.signal);
    vi.stubGlobal("fetch", (_address: string, init: RequestInit) =>
      new Promise((_resolve, reject) => init.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")))),
    );
    const failure = failureOf(get("/api/v1/jobs"));
    deadline.abort();
    expect(await failure).toMatchObject({ code: "late" });
    expect(timeout).toHaveBeenCalledWith(DEADLINE_MS);
  });

  it("have no deadline where the answer goes on", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    answer(200, {});
    await send("GET", "/api/v1/events", undefined, { streams: true });
    expect(timeout).not.toHaveBeenCalled();
  });
});
