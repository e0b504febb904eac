import { useMutation } from "@tanstack/react-query";

import { wordsOf } from "../api/problem";
import { Button } from "../ui/button";
import { toast } from "../ui/toast";
import type { OpenChat } from "./use-chat";

/** Reads what was said before the first message that is shown. */
export function Earlier({ chat }: { chat: OpenChat }) {
  const read = useMutation({ mutationFn: chat.readOlder, onError: (error) => toast(wordsOf(error), true) });
  if (chat.older === undefined) return null;
  return (
    <li className="more">
      <Button disabled={read.isPending} onClick={() => read.mutate()}>{read.isPending ? "Reading…" : "Earlier messages"}</Button>
    </li>
  );
}
