// Nodes in the clipboard, by the browser's own events: no permission is asked, and every way to copy works.
import { useReactFlow } from "@xyflow/react";
import { useEffect } from "react";

import { toast } from "../../ui/toast";
import { plural } from "../../ui/numbers";
import { useDesk } from "../desk";
import { removeNodes } from "../document/commands";
import type { Point } from "../document/model";
import { fragmentIn, fragmentOf, pasted, textOf } from "../document/paste";
import { selectionOf } from "../store";
import { hasDialog, inField } from "./in-field";

const hasText = () => (getSelection()?.toString() ?? "") !== "";

/** `at`: where the pointer is on the canvas; undefined where it is elsewhere. */
export function useClipboard(at: () => Point | undefined, centre: () => Point): void {
  const { session, locked } = useDesk();
  const { screenToFlowPosition } = useReactFlow();
  useEffect(() => {
    const { store } = session;
    const copy = (event: ClipboardEvent) => {
      const { document: flow, selection } = store.state;
      if (inField(event) || hasDialog() || hasText() || selection.nodes.size === 0) return false;
      event.preventDefault();
      event.clipboardData?.setData("text/plain", textOf(fragmentOf(flow, selection.nodes)));
      toast(`${plural(selection.nodes.size, "node")} copied.`);
      return true;
    };
    const cut = (event: ClipboardEvent) => {
      if (!locked && copy(event)) store.act(removeNodes(store.state.selection.nodes));
    };
    const paste = (event: ClipboardEvent) => {
      if (locked || inField(event) || hasDialog()) return;
      const fragment = fragmentIn(event.clipboardData?.getData("text/plain") ?? "");
      if (!fragment) return;
      event.preventDefault();
      const { command, ids } = pasted(store.state.document, fragment, at() ?? centre());
      store.act(command, { select: selectionOf(ids) });
    };
    document.addEventListener("copy", copy);
    document.addEventListener("cut", cut);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("cut", cut);
      document.removeEventListener("paste", paste);
    };
  }, [session, locked, at, centre, screenToFlowPosition]);
}
