import { useState } from "react";

import { Button } from "../ui/button";
import { Fold } from "../ui/fold";
import { JsonView } from "../ui/json-view";
import { Time } from "../ui/time";
import type { Message } from "./queries";

interface Props {
  message: Message;
  onPress: (message: string, data: string) => void;
  refusal?: string | undefined;
}

// A text of a model or a flow names it: it opens a page, and runs nothing.
const pageOf = (url: string | undefined) => (url && /^https?:\/\//i.test(url) ? url : undefined);

// Only tags that carry meaning are removed; the text is shown as text, never as markup.
const plain = (message: Message) =>
  message.markup === "html"
    ? message.content.replace(/<[^>]+>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&")
    : message.content;

function ToolCall({ message }: { message: Message }) {
  return (
    <Fold className="tool-call" summary={<><span className="faint">called</span> <span className="mono">{message.tool}</span></>}>
      <JsonView name={`arguments of ${message.tool}`} value={message.arguments ?? {}} />
      <pre className="result">{message.content}</pre>
    </Fold>
  );
}

// This server's own picture is shown. Another one is a link, which tells nobody anything until it is opened.
function Media({ media }: { media: NonNullable<Message["media"]> }) {
  const [isUnseen, setUnseen] = useState(false);
  if (media.gone) return <p className="faint">The picture is gone: the demo keeps the newest ones only.</p>;
  if (isUnseen) return <p className="faint">The picture cannot be shown. It is gone, or the server is away.</p>;
  if (media.kind === "photo" && media.source.startsWith("/api/v1/")) return <img src={media.source} alt="Picture" onError={() => setUnseen(true)} />;
  const name = media.kind === "photo" ? "Picture" : "Document";
  return <a href={pageOf(media.source)} rel="noreferrer noopener" target="_blank">{name}</a>;
}

export function MessageLine({ message, onPress, refusal }: Props) {
  if (message.role === "tool") return <li className="line"><ToolCall message={message} /></li>;
  const own = message.role === "user";
  return (
    <li className={`line ${own ? "own" : ""} ${message.origin === "engine" ? "engine" : ""}`}>
      <div className="bubble">
        {message.author?.name && <div className="faint">{message.author.name}</div>}
        {message.content && <div className="text">{plain(message)}</div>}
        {message.media && <Media media={message.media} />}
        {message.buttons?.map((row, index) => (
          <div key={index} className="row press">
            {row.map((button) =>
              button.url ? (
                <a key={button.text} className="button" href={pageOf(button.url)} rel="noreferrer noopener" target="_blank">{button.text}</a>
              ) : (
                <Button key={button.text} refusal={refusal} onClick={() => onPress(message.id, button.data ?? "")}>{button.text}</Button>
              ),
            )}
          </div>
        ))}
        {message.note && <div className="faint">{message.note.text}</div>}
        <div className="when faint">
          {message.reaction && <span>{message.reaction} </span>}
          <Time at={message.created_at} />
          {message.edited_at && " edited"}
        </div>
      </div>
    </li>
  );
}
