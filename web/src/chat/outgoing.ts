/** What the field keeps when a message was taken: what was typed meanwhile. */
export const restOf = (typed: string, taken: string): string => (typed.trim() === taken ? "" : typed);
