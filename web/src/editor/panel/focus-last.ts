/** So that a person writes on in the element of a list that they added just now. */
export const focusLast = (list: HTMLElement | null): void => {
  requestAnimationFrame(() => [...(list?.querySelectorAll<HTMLElement>(":scope > .form-field") ?? [])].at(-1)?.querySelector<HTMLElement>("input, textarea, select")?.focus());
};
