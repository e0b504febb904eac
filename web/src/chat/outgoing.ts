// Repeats of one message have one key, so that it is posted once.

export interface Outgoing {
  text: string;
  key: string;
}

/** crypto.randomUUID is absent where the page came by plain HTTP from another machine. */
export const newKey = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The same for a repeat; another text is another message. */
export const outgoing = (before: Outgoing | undefined, text: string): Outgoing => (before?.text === text ? before : { text, key: newKey() });

/** What the field keeps when a message was taken: what was typed meanwhile. */
export const restOf = (typed: string, taken: string): string => (typed.trim() === taken ? "" : typed);
