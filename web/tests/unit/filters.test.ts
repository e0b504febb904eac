import { describe, expect, it } from "vitest";

import { addressOf } from "../../src/api/client";
import { tokenOf } from "../../src/shell/login";
import { filtersOf, searchOf } from "../../src/ui/filters";

describe("filters in the address", () => {
  it("are those that the list knows, without blanks and empty ones", () => {
    expect(filtersOf("?state=failed&lane=%201%3A2%20&flow=&other=1", ["state", "lane", "flow"])).toEqual({ state: "failed", lane: "1:2" });
  });

  it("come back from the address that they make", () => {
    const filters = { lane_text: "a&b=c #1", after: "2h ago" };
    expect(filtersOf(searchOf(filters), ["lane_text", "after"])).toEqual(filters);
    expect(searchOf({ state: undefined })).toBe("");
  });
});

describe("addresses of the API", () => {
  it("encode what stands in the path, and leave out empty filters", () => {
    expect(addressOf("/api/v1/lanes/{lane}/pause", { params: { lane: "1:1000:0/x" } })).toBe("/api/v1/lanes/1%3A1000%3A0%2Fx/pause");
    expect(addressOf("/api/v1/jobs", { query: { state: "", limit: 5, cursor: undefined } })).toBe("/api/v1/jobs?limit=5");
  });
});

describe("the link to log in", () => {
  it("holds its token in the fragment", () => {
    expect(tokenOf("#login=prl_a-b.c")).toBe("prl_a-b.c");
    expect(tokenOf("#login=a&b")).toBe("");
    expect(tokenOf("#elsewhere")).toBe("");
  });
});
