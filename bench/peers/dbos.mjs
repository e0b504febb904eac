// DBOS as a whole bot: a workflow of four steps, whose results are kept as postrider keeps them. Its
// chats have no order. SYSTEM_DATABASE: where DBOS keeps its workflows.
import { DBOS } from '@dbos-inc/dbos-sdk';
import { askModel, makeHistory, readHistory, save, serve, webhook, world } from './common.mjs';

async function reply(chat, text) {
  const sent = await fetch(`${world}/bot4242:bench/sendMessage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: chat, text }),
  });
  return (await sent.json()).result.message_id;
}

const turn = DBOS.registerWorkflow(async (update) => {
  const { chat, text } = update.message;
  const history = await DBOS.runStep(() => readHistory(chat.id), { name: 'history' });
  const answer = await DBOS.runStep(() => askModel(history, text), { name: 'model' });
  await DBOS.runStep(() => reply(chat.id, answer), { name: 'reply' });
  await DBOS.runStep(() => save(chat.id, text, answer), { name: 'save' });
}, { name: 'turn' });

await makeHistory();
DBOS.setConfig({
  name: 'bench', systemDatabaseUrl: process.env.SYSTEM_DATABASE, systemDatabasePoolSize: 20, logLevel: 'error',
  runAdminServer: false,
});
await DBOS.launch();
serve(webhook((update) => DBOS.startWorkflow(turn, { workflowID: `update-${update.update_id}` })(update)));
