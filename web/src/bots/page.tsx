import { Link } from "wouter";

import { BotSwitch, EverythingSwitch, useAllPaused } from "../lanes/operate";
import { More } from "../ui/keyset-list";
import { Empty, Loaded } from "../ui/feedback";
import { Facts, Page, Panel } from "../ui/page";
import { State } from "../ui/state";
import { type Bot, stateOf, useBots } from "./queries";
import { Troubles } from "./troubles";

function Card({ bot, everything }: { bot: Bot; everything: boolean }) {
  return (
    <Panel
      title={bot.name}
      aside={<><State name={stateOf(bot, everything)} /><Link className="button" href={`/bots/${encodeURIComponent(bot.name)}`}>Set up</Link><BotSwitch bot={bot.name} paused={bot.paused_at !== null} /></>}
    >
      <Troubles bot={bot} />
      <Facts
        all={[
          ["Telegram", bot.username ? `@${bot.username}` : "not known yet"],
          ["Agent", bot.agent],
          ["Updates by", bot.mode],
          ["Owners", bot.owners],
          ["People let in", bot.allowed_users],
          ["Chats let in", bot.allowed_chats],
        ]}
      />
    </Panel>
  );
}

export function BotsPage() {
  const list = useBots();
  const everything = useAllPaused();
  return (
    <Page title="Bots" actions={<EverythingSwitch paused={everything} />} about="How each bot gets its updates, and whom it answers.">
      <Loaded query={{ ...list, data: list.rows }}>
        {(rows) => (rows.length === 0 ? <Empty title="There is no bot." /> : rows.map((bot) => <Card key={bot.name} bot={bot} everything={everything} />))}
      </Loaded>
      <More list={list} />
    </Page>
  );
}
