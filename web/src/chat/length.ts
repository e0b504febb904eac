// How long a message may be, said before it is too long. Pure.
import { countText } from "../ui/numbers";

/** Of the limit, from which on the number is said. */
const NEAR = 0.75;

/** Telegram counts as JavaScript does. */
export function lengthOf(text: string, most: number): { words: string; isTooLong: boolean } {
  const count = text.trim().length;
  const isTooLong = count > most;
  if (count < most * NEAR) return { words: `At most ${countText(most)} characters.`, isTooLong };
  return { words: `${countText(count)} of ${countText(most)} characters${isTooLong ? `: ${countText(count - most)} too many` : ""}.`, isTooLong };
}
