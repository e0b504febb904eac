import { describe, expect, it } from "vitest";

import { costText, versionText } from "../../src/ui/numbers";
import { ageText, clockText, durationText, fullText, timesIn } from "../../src/ui/zone";

const time = new Date("2026-11-29T14:03:07.250Z");

describe("times", () => {
  it("are a clock today and have their date on other days", () => {
    expect(clockText(time, "UTC", new Date("2026-11-29T20:00:00Z"))).toBe("14:03:07");
    expect(clockText(time, "UTC", new Date("2026-11-30T00:00:01Z"))).toBe("29 Nov, 14:03");
  });

  it("are found in what the server says", () => {
    expect(timesIn("event go until 2026-11-30 08:07:31Z; asked")).toEqual([{ words: "event go until " }, { words: "2026-11-30 08:07:31Z", at: "2026-11-30T08:07:31Z" }, { words: "; asked" }]);
    expect(timesIn("no free slot")).toEqual([{ words: "no free slot" }]);
  });

  it("name their zone in full", () => {
    expect(fullText(time, "UTC")).toBe("2026-11-29 14:03:07.250 UTC");
  });

  it("say how long ago, and how long until", () => {
    expect(ageText(time, new Date("2026-11-29T14:08:07.250Z"))).toBe("5 min ago");
    expect(ageText(time, new Date("2026-11-29T12:03:07.250Z"))).toBe("in 2 h 0 min");
  });

  it("say spans in their own unit", () => {
    expect([0.52, 47.4, 1_400, 61_000, 600_000, 90_000_000, 300_000_000].map(durationText)).toEqual(["0.5 ms", "47 ms", "1.4 s", "61 s", "10 min", "25 h 0 min", "3 d"]);
  });
});

describe("costs", () => {
  it("show what a small call costs", () => {
    expect([null, 0, 0.42, 42, 120].map(costText)).toEqual(["–", "$0", "$0.0042", "$0.420", "$1.20"]);
    expect([versionText(3, false), versionText(0, true), versionText(null, false)]).toEqual(["v3", "draft trial", ""]);
  });
});
