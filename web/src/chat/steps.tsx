import { Link } from "wouter";

import { State } from "../ui/state";
import type { Chat } from "./turn";

/** What the turn does right now, or did, next to the chat. */
export function Steps({ chat }: { chat: Chat }) {
  const turn = chat.turn ?? chat.ended;
  return (
    <aside className="panel steps" aria-label="This turn">
      <header>
        <h2>This turn</h2>
        {turn && <span className="spread"><State name={turn.state} /></span>}
      </header>
      <div className="body">
        {turn && <p><Link href={`/jobs/${turn.job}`}>Job {turn.job}</Link></p>}
        {chat.steps.length === 0 ? (
          <p className="faint">{chat.turn ? "Its next step appears here." : "Nothing runs. Say something, and its steps appear here."}</p>
        ) : (
          <ol className={chat.turn ? "done-steps running" : "done-steps"}>
            {chat.steps.map((step, index) => (
              <li key={`${step.at} ${index}`}>{step.text}</li>
            ))}
          </ol>
        )}
      </div>
    </aside>
  );
}
