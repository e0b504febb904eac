import { describe, expect, it } from "vitest";

import { type Erased, eraseAll } from "../../src/audit/erasure";

const page = (cleared: Record<string, number>, next?: string, running = 0) => ({ user_id: 7, cleared, running, unknown: 0, quoted: 1, ...(next ? { next } : {}) });

describe("an erasure", () => {
  it("asks page after page and adds them up", async () => {
    const asked: (string | undefined)[] = [];
    const told: Erased[] = [];
    const pages = [page({ job: 3 }, "jobs:[9]", 1), page({ job: 2, step: 1 }, "messages"), page({ message: 4 })];
    const all = await eraseAll(async (cursor) => (asked.push(cursor), pages[asked.length - 1]!), (erased) => told.push(erased), () => false);
    expect(asked).toEqual([undefined, "jobs:[9]", "messages"]);
    expect(told.map(({ place }) => place)).toEqual(["jobs", "messages", undefined]);
    expect(all).toEqual({ pages: 3, cleared: { job: 5, step: 1, message: 4 }, running: 1, unknown: 0, quoted: 3 });
  });

  it("stops after the page that it asks for", async () => {
    let asked = 0;
    const part = await eraseAll(async () => page({ job: ++asked }, "jobs:[9]"), () => undefined, () => asked === 2);
    expect(asked).toBe(2);
    expect(part.place).toBe("jobs");
  });
});
