// Nodes in the clipboard, by the browser's own events: no permission is asked, and every way to copy works.
import { useEffect } from "react";

import { wordsOf } from "../../api/problem";
import { toast } from "../../ui/toast";
import { plural } from "../../ui/numbers";
import { useDesk } from "../desk";
import { removeNodes } from "../document/commands";
import type { FlowDocument, Point } from "../document/model";
import { fragmentIn, fragmentOf, pasted, textOf } from "../document/paste";
import { selectionOf } from "../store";
import { focusNewCard } from "./focus-card";
import { hasDialog, inField } from "./in-field";
import { converted, workflowIn } from "./n8n";

function wordsFor({ nodes }: FlowDocument, keys: ReadonlySet<string>): string {
  const count = nodes.filter(({ id }) => keys.has(id)).length;
  const words = [count > 0 && plural(count, "node"), keys.size > count && plural(keys.size - count, "note")];
  return words.filter(Boolean).join(" and ");
}

const hasText = () => (getSelection()?.toString() ?? "") !== "";

/** `at`: where the pointer is on the canvas; undefined where it is elsewhere. */
export function useClipboard(at: () => Point | undefined, centre: () => Point): void {
  const { session, types, locked, tellOfImport } = useDesk();
  useEffect(() => {
    const { store } = session;
    let gone = false;
    const copy = (event: ClipboardEvent) => {
      const { document: flow, selection } = store.state;
      if (inField(event) || hasDialog() || hasText() || selection.nodes.size === 0) return false;
      event.preventDefault();
      event.clipboardData?.setData("text/plain", textOf(fragmentOf(flow, selection.nodes)));
      toast(`${wordsFor(flow, selection.nodes)} copied.`);
      return true;
    };
    const cut = (event: ClipboardEvent) => {
      if (!locked && copy(event)) store.act(removeNodes(store.state.selection.nodes));
    };
    const paste = (event: ClipboardEvent) => {
      if (locked || inField(event) || hasDialog()) return;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      const fragment = fragmentIn(text);
      const workflow = fragment ? undefined : workflowIn(text);
      if (!fragment && !workflow) return;
      event.preventDefault();
      const place = at() ?? centre();
      if (fragment) put(fragment, place);
      else if (workflow) void convert(workflow, place);
    };
    const put = (fragment: FlowDocument, place: Point) => {
      const { command, ids, idOf } = pasted(store.state.document, fragment, place, types);
      store.act(command, { select: selectionOf(ids) });
      focusNewCard(ids);
      return idOf;
    };
    const convert = async (workflow: object, place: Point) => {
      toast("The nodes from n8n are converted…");
      try {
        const { fragment, problems } = await converted(workflow);
        if (gone) return;
        const idOf = put(fragment, place);
        if (problems.length > 0) tellOfImport({ count: fragment.nodes.length, problems: problems.map((problem) => ({ ...problem, id: problem.id === undefined ? undefined : idOf.get(problem.id) })) });
      } catch (error) {
        toast(wordsOf(error), true);
      }
    };
    document.addEventListener("copy", copy);
    document.addEventListener("cut", cut);
    document.addEventListener("paste", paste);
    return () => {
      gone = true;
      document.removeEventListener("copy", copy);
      document.removeEventListener("cut", cut);
      document.removeEventListener("paste", paste);
    };
  }, [session, types, locked, at, centre, tellOfImport]);
}
