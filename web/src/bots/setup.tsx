// One bot from its token to its first answer: what Telegram says, the webhook, and who is let in.
import { useEffect } from "react";
import { Link } from "wouter";

import { BotSwitch, useAllPaused } from "../lanes/operate";
import { Empty, Loaded } from "../ui/feedback";
import { Facts, Page, Panel } from "../ui/page";
import { State } from "../ui/state";
import "./bots.css";
import { Connection } from "./check";
import { LetIn } from "./let-in";
import { type Bot, stateOf, useBots, useSettings } from "./queries";
import { Troubles } from "./troubles";

const rights = [["owners", "Owners"], ["allowed_users", "People"], ["allowed_chats", "Chats"]] as const;

function Rights({ bot }: { bot: Bot }) {
  const settings = useSettings();
  const prefix = `bots.${bot.name}.`;
  return (
    <Panel title="People and chats that are let in" aside={<Link href={`/settings?words=${encodeURIComponent(prefix)}`}>Its settings</Link>}>
      <Loaded query={settings}>
        {({ settings: all }) => (
          <Facts
            all={rights.map(([name, title]) => {
              const row = all.find(({ key }) => key === prefix + name);
              return [title, row?.value ? <><span className="mono">{row.value}</span> <span className="faint">{row.source}</span></> : bot[name] ? String(bot[name]) : "nobody"] as const;
            })}
          />
        )}
      </Loaded>
    </Panel>
  );
}

export function BotPage({ params }: { params: Record<string, string> }) {
  const name = decodeURIComponent(window.location.pathname.split("/").at(-1) ?? params.name ?? ""); // the router's own is decoded in part
  const list = useBots();
  const everything = useAllPaused();
  const bot = list.rows?.find((row) => row.name === name);
  const { fetchNextPage } = list;
  const isFurther = list.rows !== undefined && !bot && list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError;
  useEffect(() => {
    if (isFurther) void fetchNextPage();
  }, [isFurther, fetchNextPage]);
  if (list.rows && !bot && !list.hasNextPage) return <Page title={name}><Empty title="There is no such bot."><Link href="/bots">All bots</Link></Empty></Page>;
  return (
    <Page title={`Bot ${name}`} about={bot && <span className="row"><State name={stateOf(bot, everything)} />{bot.username && <span>@{bot.username}</span>}</span>} actions={bot && <BotSwitch bot={name} paused={bot.paused_at !== null} />}>
      <Loaded query={{ ...list, data: bot, isPending: !bot && !list.error }}>
        {(known) => (
          <>
            <Troubles bot={known} />
            <Connection bot={known} readAt={list.dataUpdatedAt} />
            <LetIn bot={known} />
            <Rights bot={known} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
