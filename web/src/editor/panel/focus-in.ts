/** Which field is to have the focus: of a node or a note, or of the flow itself, whose key is "". */
export interface FocusRequest {
  node: string;
  path: string;
}

export const FLOW = "";

/** Leads to the field of a pointer, or to the nearest around it. False: there is none. */
export function focusIn(element: HTMLElement, path: string): boolean {
  for (let pointer = path; pointer !== ""; pointer = pointer.slice(0, pointer.lastIndexOf("/"))) {
    const field = element.querySelector<HTMLElement>(`[data-pointer="${CSS.escape(pointer)}"]`);
    for (let fold = field?.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.open = true;
    const control = field?.querySelector<HTMLElement>("input, textarea, select, button");
    if (!control) continue;
    control.focus();
    control.scrollIntoView({ block: "center" });
    return true;
  }
  return false;
}
