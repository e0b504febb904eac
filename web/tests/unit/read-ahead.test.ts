import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";

import { readAhead } from "../../src/routes";

afterEach(() => vi.unstubAllGlobals());

it.each<[string, readonly string[]]>([
  ["/", ["/api/v1/me", "/api/v1/attention?limit=50", "/api/v1/overview"]],
  ["", ["/api/v1/me", "/api/v1/attention?limit=50", "/api/v1/overview"]],
  ["/jobs", ["/api/v1/me"]],
])("asks at once for what the page at %o begins with", async (address, expected) => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    return new Promise(() => undefined); // none of them waits for an answer
  });
  readAhead(new QueryClient(), address);
  await vi.waitFor(() => expect(asked).toEqual(expected));
});
