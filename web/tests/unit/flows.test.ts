import { describe, expect, it } from "vitest";

import { usualVersion } from "../../src/flows/operate";

describe("the version to restore", () => {
  it("is the one before the published one, unless the draft has changed", () => {
    expect(usualVersion({ published_version: 3, changed: false }, [3, 2, 1])).toBe(2);
    expect(usualVersion({ published_version: 3, changed: true }, [3, 2, 1])).toBe(3);
    expect(usualVersion({ published_version: 1, changed: false }, [1])).toBe(1);
  });
});
