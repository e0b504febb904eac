// Where the keyboard's focus goes when what had it leaves the page, which browsers answer with "nowhere": to the row that
// took the place of its row, else to the heading of the list or the page.
const ROW = "tr, li";
const SECTION = "section, main";
const CONTROL = "a[href], button, input, select, textarea, summary, [tabindex='0']";
const MOST_NEIGHBOURS = 50;

/** An element, and what stood around it while it was on the page. */
export interface Spot {
  element: HTMLElement;
  row: Element | null;
  /** Of the row: those below it, nearest first, then those above. */
  neighbours: readonly Element[];
  sections: readonly Element[];
}

function siblings(row: Element | null, next: "nextElementSibling" | "previousElementSibling"): Element[] {
  const all: Element[] = [];
  for (let each = row?.[next]; each && all.length < MOST_NEIGHBOURS; each = each[next]) all.push(each);
  return all;
}

export function spotOf(element: HTMLElement): Spot {
  const row = element.closest(ROW);
  const sections: Element[] = [];
  for (let each = element.closest(SECTION); each; each = each.parentElement?.closest(SECTION) ?? null) sections.push(each);
  return { element, row, neighbours: [...siblings(row, "nextElementSibling"), ...siblings(row, "previousElementSibling")], sections };
}

function focused(element: HTMLElement | null | undefined): boolean {
  element?.focus();
  return element !== null && element !== undefined && document.activeElement === element;
}

function focusHeading(section: Element | null | undefined): boolean {
  const heading = section?.querySelector<HTMLElement>("h2, h1");
  if (!heading) return false;
  heading.tabIndex = -1;
  return focused(heading);
}

/** Somebody may type there. The page sees a code editor as the element around its shadow tree. */
const takesText = (element: Element | null) =>
  element instanceof HTMLElement && !element.closest("dialog:not([open])") && (element.isContentEditable || element.shadowRoot !== null || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName));

/** Returns whether something has the focus then. A field that has it, and is another one, keeps it. */
export function focusNear({ element, row, neighbours, sections }: Spot): boolean {
  if (takesText(document.activeElement) && document.activeElement !== element) return true;
  if (element.isConnected && focused(element)) return true;
  for (const near of [row, ...neighbours])
    if (near?.isConnected && [...near.querySelectorAll<HTMLElement>(CONTROL)].some(focused)) return true;
  return focusHeading(sections.find((section) => section.isConnected)) || focusHeading(document.querySelector("main"));
}

/** Watches the page until the returned function is called. */
export function keepFocus(page: Document = document): () => void {
  let spot: Spot | undefined;
  const note = ({ target }: FocusEvent) => {
    spot = target instanceof HTMLElement ? spotOf(target) : undefined;
  };
  // A person who presses elsewhere has left it; where something there takes the focus, that is noted next.
  const leave = ({ target }: PointerEvent) => {
    if (spot && target instanceof Node && !spot.element.contains(target)) spot = undefined;
  };
  const look = () => {
    const isLost = spot && !spot.element.isConnected && (page.activeElement ?? page.body) === page.body;
    if (spot && isLost) focusNear(spot); // where there is nothing yet, the next change finds more
  };
  const changes = new MutationObserver(look);
  page.addEventListener("focusin", note);
  page.addEventListener("pointerdown", leave, true);
  changes.observe(page.body, { childList: true, subtree: true });
  return () => {
    page.removeEventListener("focusin", note);
    page.removeEventListener("pointerdown", leave, true);
    changes.disconnect();
  };
}
