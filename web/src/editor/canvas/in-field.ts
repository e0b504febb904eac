/** Keys that are typed there are text. A code editor is in a shadow tree, so the innermost target counts. */
export function inField(event: Event): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

export const hasDialog = (): boolean => document.querySelector("dialog[open]") !== null;
