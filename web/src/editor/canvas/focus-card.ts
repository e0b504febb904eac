const cardOf = (key: string) => document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(key)}"]`);

/** So that the keyboard goes on at the card of a node or a note. */
export const focusCard = (key: string): void => cardOf(key)?.focus({ preventScroll: true });

const FRAMES = 20;

/** The same for one that is not on the page yet: it was added just now, or comes into sight. */
export function focusNewCard([key]: Iterable<string>, frames = FRAMES): void {
  if (key === undefined) return;
  requestAnimationFrame(() => {
    if (cardOf(key)) focusCard(key);
    else if (frames > 0) focusNewCard([key], frames - 1);
  });
}
