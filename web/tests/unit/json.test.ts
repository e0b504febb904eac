import { describe, expect, it } from "vitest";

import { parseJson, printJson } from "../../src/api/json";

describe("JSON with exact integers", () => {
  it("reads integers that fit as numbers", () => {
    expect(parseJson('{"a":42,"b":-1,"c":9007199254740991}')).toEqual({ a: 42, b: -1, c: 9007199254740991 });
  });

  it("reads integers that do not fit with all their digits", () => {
    expect(parseJson('{"a":9007199254740993,"b":[-9223372036854775808]}')).toEqual({ a: 9007199254740993n, b: [-9223372036854775808n] });
  });

  it("leaves long fractions and texts alone", () => {
    expect(parseJson('{"a":0.12345678901234567,"b":"9007199254740993"}')).toEqual({ a: 0.12345678901234567, b: "9007199254740993" });
  });

  it("writes them back as they were", () => {
    const text = '{"id":9007199254740993,"other":1}';
    expect(printJson(parseJson(text))).toBe(text);
  });

  it("refuses what is not JSON", () => {
    expect(() => parseJson("{")).toThrow();
  });
});
