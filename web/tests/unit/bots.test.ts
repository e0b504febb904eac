import { describe, expect, it } from "vitest";

import { newerOf } from "../../src/bots/check";

const webhook = (url: string) => ({ url, pending: 0, last_error: null, last_error_at: null }) as unknown as NonNullable<Parameters<typeof newerOf>[0]["webhook"]>;

describe("a bot's webhook", () => {
  it("is what Telegram said last: a check hides no newer reading", () => {
    const listed = { webhook: webhook("https://new"), at: 2_000 };
    expect(newerOf(listed, undefined)).toBe(listed);
    expect(newerOf(listed, { webhook: webhook("https://old"), at: 1_000 })).toBe(listed);
    const checked = { webhook: webhook("https://newest"), at: 3_000 };
    expect(newerOf(listed, checked)).toBe(checked);
    expect(newerOf(listed, { webhook: null, at: 3_000 })).toBe(listed);
  });
});
