import { describe, expect, it } from "vitest";

import { dayText, namesIn, secondsOfDay } from "../../src/ui/chart";
import { daysUntil, groupingOf, keyOf, measureOf, pointsOf, type Usage } from "../../src/usage/dimensions";

const row = (day: string, model: string | null, calls: number, cost: number) => ({ day, model, calls, cost, tokens_in: 10 * calls, tokens_out: calls }) as Usage;

describe("usage", () => {
  it("is grouped by one or two dimensions that there are", () => {
    expect(groupingOf(undefined, undefined)).toEqual(["day"]);
    expect(groupingOf("model", "day")).toEqual(["model", "day"]);
    expect(groupingOf("user", "user")).toEqual(["user"]);
    expect(groupingOf("colour", "flow")).toEqual(["day", "flow"]);
  });

  it("names a row by all its dimensions", () => {
    expect(keyOf(row("2026-11-29", null, 1, 0), ["day", "model"])).toBe("2026-11-29 · none");
  });

  it("adds up the first dimension for the bars, days in their order", () => {
    const rows = [row("2026-11-29", "a", 2, 1.5), row("2026-11-29", "b", 3, 0.5), row("2026-11-28", "a", 1, 4)];
    expect(pointsOf(rows, "day", "cost", [])).toEqual([{ name: "2026-11-28", value: 4 }, { name: "2026-11-29", value: 2 }]);
    expect(pointsOf(rows, "day", "tokens", [])).toEqual([{ name: "2026-11-28", value: 11 }, { name: "2026-11-29", value: 55 }]);
  });

  it("has the largest bars of other dimensions first, and no more than thirty", () => {
    const rows = Array.from({ length: 40 }, (_none, index) => row("2026-11-29", `m${index}`, index, 0));
    const points = pointsOf(rows, "model", "calls", ["2026-11-29"]);
    expect(points.slice(0, 2)).toEqual([{ name: "m39", value: 39 }, { name: "m38", value: 38 }]);
    expect(points.length).toBe(30);
  });

  it("has a place for each day of the span, also for those without a call", () => {
    const days = daysUntil(new Date("2026-11-30T23:30:00Z"), 3, "Europe/Berlin");
    expect(days).toEqual(["2026-11-29", "2026-11-30", "2026-12-01"]);
    expect(pointsOf([row("2026-11-30", "a", 2, 1)], "day", "calls", days).map(({ value }) => value)).toEqual([0, 2, 0]);
  });

  it("draws costs where there are any, and what the address asks for", () => {
    expect(measureOf(undefined, [row("2026-11-29", "a", 1, 0)])).toBe("calls");
    expect(measureOf(undefined, [row("2026-11-29", "a", 1, 2)])).toBe("cost");
    expect(measureOf("tokens", [])).toBe("tokens");
    expect(measureOf("colour", [])).toBe("calls");
  });

  it("names as many bars as it has room for at its present width", () => {
    const points = Array.from({ length: 6 }, (_none, index) => ({ name: `model ${index}`, value: 1 }));
    const places = points.map((_point, index) => index);
    expect(namesIn(points, places, 600).filter(Boolean)).toHaveLength(6);
    expect(namesIn(points, places, 270).filter(Boolean)).toEqual(["model 0", "model 2", "model 4"]);
    expect(namesIn(points, places, 0).filter(Boolean)).toEqual(["model 0"]);
  });

  it("has a day where it is, in every zone of a browser", () => {
    const zones = ["Pacific/Kiritimati", "Etc/GMT+12"];
    for (const zone of zones) {
      process.env.TZ = zone;
      expect(dayText(secondsOfDay("2026-11-29"))).toBe("29 Nov");
    }
    delete process.env.TZ;
  });
});
