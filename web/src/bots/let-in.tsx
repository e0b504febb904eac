// "Write to your bot now": waits for a stranger's message, and says what lets that person in.
import { useState } from "react";
import { Link } from "wouter";

import { useMe } from "../api/me";
import { Button } from "../ui/button";
import { Loaded } from "../ui/feedback";
import { plural } from "../ui/numbers";
import { Panel } from "../ui/page";
import { Time, useNow } from "../ui/time";
import { toast } from "../ui/toast";
import { admissionOf } from "./admission";
import { type Bot, type Stranger, useSettings, useStrangers } from "./queries";

/** A message is new for so long. */
const NEWS_MS = 60_000;

function HowTo({ stranger }: { stranger: Stranger }) {
  const settings = useSettings();
  return (
    <Loaded query={settings}>
      {({ settings: all }) => {
        const { isIn, where, line } = admissionOf(stranger, all);
        if (isIn) return <p className="soft">This id is in {stranger.admitted_by.setting} already. The next message is answered.</p>;
        const copy = async () => {
          try {
            await navigator.clipboard.writeText(line); // absent where the page came by plain HTTP from another machine
            toast("The line is copied.");
          } catch {
            toast("The browser does not let the page copy. Select the line.", true);
          }
        };
        return (
          <>
            <p>Write this line into {where}:</p>
            <div className="row"><pre className="command">{line}</pre><Button onClick={() => void copy()}>Copy</Button></div>
            <p className="soft">Then start the server again. Only the configuration says which people may write to a bot.</p>
          </>
        );
      }}
    </Loaded>
  );
}

function Row({ stranger }: { stranger: Stranger }) {
  const [open, setOpen] = useState(false);
  const isNew = useNow().getTime() - new Date(stranger.last_seen_at).getTime() < NEWS_MS;
  const group = stranger.chat_id < 0;
  return (
    <li>
      <div className="row">
        <strong className="clip">{stranger.name || `user ${stranger.user_id}`}</strong>
        <span className="mono">{String(stranger.user_id)}</span>
        {isNew && <span className="tag tone-good">just now</span>}
        {group && <span className="tag">in group {String(stranger.chat_id)}</span>}
        <span className="faint">refused {plural(stranger.refused, "time")}, last <Time at={stranger.last_seen_at} age /></span>
        <span className="spread"><Button aria-expanded={open} onClick={() => setOpen(!open)}>Let in</Button></span>
      </div>
      {open && <HowTo stranger={stranger} />}
    </li>
  );
}

export function LetIn({ bot }: { bot: Bot }) {
  const [waits, setWaits] = useState(false);
  const strangers = useStrangers(bot.name, waits);
  const { data: me } = useMe();
  const at = bot.username && `@${bot.username}`;
  return (
    <Panel title="Let people in" aside={<Link href={`/strangers?bot=${encodeURIComponent(bot.name)}`}>All strangers</Link>}>
      <p className="stranger-words">
        Write to {at && !me?.demo ? <a href={`https://t.me/${bot.username}`} target="_blank" rel="noreferrer">{at}</a> : at || "your bot"} now, from the account that you want to let in. It is refused, and appears here.
      </p>
      <div className="row">
        <Button aria-pressed={waits} onClick={() => setWaits(!waits)}>{waits ? "Stop waiting" : "Wait for a message"}</Button>
        {waits && <span role="status" className="soft">Waiting for a message of a person who is not let in yet…</span>}
      </div>
      <Loaded query={strangers}>
        {({ strangers: all }) =>
          all.length === 0 ? <p className="soft">Nobody was refused.</p> : <ul className="strangers">{all.map((stranger) => <Row key={`${stranger.user_id} ${stranger.chat_id}`} stranger={stranger} />)}</ul>
        }
      </Loaded>
    </Panel>
  );
}
