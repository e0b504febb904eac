// What was said, oldest first, with what is said and done right now below it, and the steps beside it.
import type { ReactNode } from "react";

import { State } from "../ui/state";
import "./chat.css";
import { MessageLine } from "./message";
import type { Message } from "./queries";
import { Steps } from "./steps";
import type { Chat } from "./turn";
import { useEnd } from "./use-end";

interface Props {
  chat: Chat;
  messages: readonly Message[];
  onPress: (message: string, data: string) => void;
  /** Why no button can be pressed here. */
  refusal?: string | undefined;
  /** Above the messages: what reads older ones. */
  earlier?: ReactNode;
  /** Where a message is written. */
  children: ReactNode;
  /** Below the steps. */
  aside?: ReactNode;
}

export function Talk({ chat, messages, onPress, refusal, earlier, children, aside }: Props) {
  const thinking = chat.turn?.state === "running" && !chat.words;
  const scroll = useEnd(messages, `${chat.words.length} ${thinking}`);
  return (
    <div className="chat">
      <section className="panel talk" aria-label="Talk">
        <div className="scroll" role="log" aria-label="Messages" tabIndex={0} {...scroll}>
          <ul className="lines">
            {messages.length === 0 && !chat.turn && <li className="empty">{chat.isRead ? "Say something to begin." : !chat.trouble && "Reading…"}</li>}
            {earlier}
            {messages.map((message) => <MessageLine key={message.id} message={message} onPress={onPress} refusal={refusal} />)}
            {chat.words && <li className="line"><div className="bubble"><div className="text">{chat.words}</div></div></li>}
            {thinking && <li className="line"><State name="running" words={chat.steps.at(-1)?.text ?? "begins"} /></li>}
            {chat.trouble && <li className="line bad">{chat.trouble}</li>}
            {chat.failure && <li className="line bad">{chat.failure}</li>}
          </ul>
        </div>
        {children}
      </section>
      <div className="beside">
        <Steps chat={chat} />
        {aside}
      </div>
    </div>
  );
}
