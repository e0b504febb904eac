import { Time } from "../ui/time";
import type { Bot } from "./queries";

/** What keeps a bot from its updates, as far as it is known without a check. */
export function Troubles({ bot }: { bot: Bot }) {
  return (
    <>
      {bot.stopped_at && <p className="bad">Telegram refused it <Time at={bot.stopped_at} age />: {bot.stopped_reason}</p>}
      {bot.webhook?.last_error && <p className="bad">Its webhook failed <Time at={bot.webhook.last_error_at} age />: {bot.webhook.last_error}</p>}
      {!bot.configured && <p className="soft">The node that answers does not run this bot.</p>}
    </>
  );
}
