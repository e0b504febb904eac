// The chat that the simulated Telegram shows, with what Telegram does not show: calls of tools, words as they
// arrive, and the steps of the turn.
import { useMutation } from "@tanstack/react-query";

import { useRefusal } from "../api/me";
import { wordsOf } from "../api/problem";
import { Compose } from "../chat/compose";
import { Talk } from "../chat/talk";
import { useTurns } from "../chat/use-chat";
import { Loaded } from "../ui/feedback";
import { Page } from "../ui/page";
import { toast } from "../ui/toast";
import { withCalls } from "./calls";
import { pictureText } from "./picture";
import { MOST_CHARACTERS, press, readCalls, say, useDemoChat } from "./queries";
import { Trouble } from "./trouble";

export function DemoPage() {
  const shown = useDemoChat();
  const [chat] = useTurns("demo", readCalls);
  const refusal = useRefusal();
  const answer = useMutation({
    mutationFn: ({ message, data }: { message: string; data: string }) => press(message, data),
    onError: (error) => toast(wordsOf(error), true),
  });
  const send = async (text: string, key: string, picture?: File) => say(text, key, picture && (await pictureText(picture)));
  const calls = chat.messages.filter(({ role }) => role === "tool");
  return (
    <Page title="Simulated Telegram" about="You are the person in the private chat with the demo's bot. The terminal of the demo shows the same chat.">
      <Loaded query={shown}>
        {({ messages, typing, model_timeout }) => (
          <Talk chat={chat} messages={withCalls(messages, calls)} onPress={(message, data) => answer.mutate({ message, data })} refusal={refusal} aside={<Trouble hanging={model_timeout} />}>
            <p className="typing faint" role="status">{typing && "The bot is typing…"}</p>
            <Compose say={send} takesPictures most={MOST_CHARACTERS} refusal={refusal} />
          </Talk>
        )}
      </Loaded>
    </Page>
  );
}
