import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";

import * as json from "../../src/api/json";
import { Fold } from "../../src/ui/fold";
import { exceeds, headOf, MEMBERS, ownerOf, rowsOf } from "../../src/ui/json-parts";
import { JsonView } from "../../src/ui/json-view";

const html = (value: unknown) => renderToStaticMarkup(<JsonView name="output" value={value} />);

describe("a JSON value", () => {
  it("is shown with what is open at first", () => {
    expect(html({ a: 1, b: { c: { d: "deep" } } })).toContain("{1}");
    expect(html({ a: 1 })).toContain("a: ");
    expect(html({ b: { c: { d: "deep" } } })).not.toContain("deep");
    expect(html({ a: 1 })).toContain('role="treeitem"');
  });

  it("is not printed to be shown, however large", () => {
    const print = vi.spyOn(json, "printJson");
    const large = Array.from({ length: 300_000 }, (_none, index) => ({ index, words: "some words that fill it" }));
    const shown = html(large);
    expect(print).not.toHaveBeenCalled();
    expect(shown.length).toBeLessThan(40_000);
    expect(shown).toContain("Download all of it");
    expect(rowsOf(large, 1, { toggled: new Set(), limits: new Map() }).at(-1)).toMatchObject({ level: 2, rest: 299_000 });
  });

  it("is measured as far as it must be", () => {
    const touched = vi.fn(() => 1);
    const value = ["x".repeat(100), Object.defineProperty({}, "late", { enumerable: true, get: touched })];
    expect(exceeds(value, 50)).toBe(true);
    expect(touched).not.toHaveBeenCalled();
    expect(exceeds(value, 500)).toBe(false);
    expect(headOf({ a: 1, b: 2 }, 1)).toEqual([["a", 1]]);
  });
});

describe("the rows of a tree", () => {
  const value = { a: [1, { b: "x" }], "c/d~": [] };
  const rows = (toggled: string[], limits: [string, number][] = []) => rowsOf(value, 2, { toggled: new Set(toggled), limits: new Map(limits) });
  const paths = (all: ReturnType<typeof rows>) => all.map(({ path, rest }) => (rest === undefined ? path : `${path} +${rest}`));

  it("are what is open", () => {
    expect(paths(rows([]))).toEqual(["", "/a", "/a/0", "/a/1", "/c~1d~0"]);
    expect(paths(rows(["/a/1"]))).toEqual(["", "/a", "/a/0", "/a/1", "/a/1/b", "/c~1d~0"]);
    expect(paths(rows(["/a"]))).toEqual(["", "/a", "/c~1d~0"]);
    expect(paths(rows([""]))).toEqual([""]);
  });

  it("say where they are among their siblings, and who holds them", () => {
    const all = rows([], [["/a", 1]]);
    expect(paths(all)).toEqual(["", "/a", "/a/0", "/a +1", "/c~1d~0"]);
    expect(all.map(({ level, place, siblings }) => [level, place, siblings])).toEqual([[1, 1, 1], [2, 1, 2], [3, 1, 2], [3, 2, 2], [2, 2, 2]]);
    expect(all.map((_row, index) => ownerOf(all, index))).toEqual([0, 0, 1, 1, 0]);
  });

  it("are few where a list is long", () => {
    expect(rowsOf(new Array(100_000).fill(0), 2, { toggled: new Set(), limits: new Map() }).length).toBe(MEMBERS + 2);
  });
});

describe("a closed part", () => {
  it("does not build its inside", () => {
    const Inside = vi.fn(() => <p>inside</p>);
    expect(renderToStaticMarkup(<Fold summary="line"><Inside /></Fold>)).not.toContain("inside");
    expect(Inside).not.toHaveBeenCalled();
    expect(renderToStaticMarkup(<Fold summary="line" begins><Inside /></Fold>)).toContain("inside");
  });
});
