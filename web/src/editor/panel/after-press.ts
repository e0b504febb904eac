// What a field shows only while it has the focus goes when that has come to its new place, and not between the press and the
// release of a click: what the person aims at would move or leave, and the click or the key would miss it.
let isPressed = false;
const note = (pressed: boolean) => () => {
  isPressed = pressed;
};
if (typeof document !== "undefined") {
  addEventListener("pointerdown", note(true), true);
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, note(false), true);
}

/** When the focus has moved, and the pointer is released. */
export function afterPress(act: () => void): void {
  if (!isPressed) return void setTimeout(act);
  const ending = new AbortController();
  const end = () => {
    ending.abort();
    setTimeout(act); // behind the click
  };
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, { capture: true, signal: ending.signal });
}
