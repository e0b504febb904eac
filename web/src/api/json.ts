// JSON with exact integers. An integer that a number cannot hold becomes a bigint when it is read, and is
// written with all its digits. Browsers without JSON.parse source text read it as the nearest number.

type SourceReviver = (key: string, value: unknown, context?: { source?: string }) => unknown;
const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;

// Sixteen digits are the fewest that may not fit; most answers have none and are read without a reviver.
const longNumber = /[0-9]{16}/;
const integer = /^-?[0-9]+$/;

const exact: SourceReviver = (_key, value, context) => {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && integer.test(source) ? BigInt(source) : value;
};

export function parseJson(text: string): unknown {
  return longNumber.test(text) ? JSON.parse(text, exact as (key: string, value: unknown) => unknown) : JSON.parse(text);
}

/** What a person typed as JSON; undefined where that is nothing. `subject`: what it is called in a failure. */
export function typedJson(text: string, subject: string): unknown {
  try {
    return text.trim() ? parseJson(text) : undefined;
  } catch (error) {
    throw new Error(`${subject} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What a person typed as a whole number, with all its digits. */
export function integerOf(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

export function printJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, part: unknown) => {
      if (typeof part !== "bigint") return part;
      return rawJson ? rawJson(part.toString()) : Number(part);
    },
    indent,
  );
}
