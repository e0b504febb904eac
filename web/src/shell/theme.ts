// Light or dark: what the system says, until the person chooses.
const stored = "postrider.theme";
export type Theme = "light" | "dark";
const media = typeof matchMedia === "undefined" ? undefined : matchMedia("(prefers-color-scheme: dark)");

function chosen(): Theme | undefined {
  try {
    const value = localStorage.getItem(stored);
    return value === "light" || value === "dark" ? value : undefined;
  } catch {
    return undefined;
  }
}

export const theme = (): Theme => chosen() ?? (media?.matches ? "dark" : "light");

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme();
}

export function switchTheme(): void {
  const next = theme() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(stored, next);
  } catch {
    // A browser without storage forgets it with the tab.
  }
  document.documentElement.dataset.theme = next;
}

media?.addEventListener("change", applyTheme);
