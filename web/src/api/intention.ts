// What a person wants once: a message, a run. Its repeats have one key, so that the server does it once.

export interface Intention {
  /** What it consists of. */
  parts: readonly unknown[];
  key: string;
}

/** A random UUID. crypto.randomUUID is absent where the page came by plain HTTP from another machine. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40; // version 4
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The same for a repeat; other parts are another intention. */
export const intentionOf = (before: Intention | undefined, parts: readonly unknown[]): Intention =>
  before && before.parts.length === parts.length && before.parts.every((part, index) => part === parts[index]) ? before : { parts, key: newKey() };

/** What the request of an intention has. */
export const onceBy = (key: string) => ({ headers: { "Idempotency-Key": key } });
