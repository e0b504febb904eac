import { type RefObject, useEffect, useRef } from "react";

/** Whether what uses it has left the page: work of many requests then stops. */
export function useClosed(): RefObject<boolean> {
  const closed = useRef(false);
  useEffect(() => {
    closed.current = false;
    return () => {
      closed.current = true;
    };
  }, []);
  return closed;
}
