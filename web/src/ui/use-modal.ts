import { type RefObject, useLayoutEffect, useRef } from "react";

import { focusNear, spotOf } from "./focus";

/** Of a dialog that is modal while it is on the page. The focus then goes back to where it was, or near it. */
export function useModal(isModal = true): RefObject<HTMLDialogElement | null> {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const own = element.current;
    if (!own || !isModal) return;
    const opener = document.activeElement;
    const spot = opener instanceof HTMLElement && opener !== document.body ? spotOf(opener) : undefined;
    if (!own.open) own.showModal();
    return () => {
      own.close(); // before that nothing behind it takes the focus
      if (spot) focusNear(spot);
    };
  }, [isModal]);
  return element;
}
