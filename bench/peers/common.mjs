// What the bots of the comparison share: the people who may write, the webhook's secret, the history,
// and the turn's four acts, written as a bot's author would. All of it comes from the environment:
// DATABASE (URL), WORLD (origin of Telegram and the model), SECRET. The first line of stdout is the address.
import http from 'node:http';
import pg from 'pg';

export const secret = process.env.SECRET;
export const world = process.env.WORLD;
export const allowed = new Set(Array.from({ length: 1000 }, (_, i) => i + 1));
export const pool = new pg.Pool({ connectionString: process.env.DATABASE, max: 10 });
pool.on('error', (error) => console.error(error));
pool.on('connect', (client) => client.on('error', (error) => console.error(error)));

export async function makeHistory() {
  await pool.query(`create table if not exists message (
      id bigint generated always as identity primary key, chat_id bigint not null, role text not null,
      body text not null, created_at timestamptz not null default now());
    create index if not exists message_chat on message (chat_id, id desc)`);
}

export async function readHistory(chat) {
  const found = await pool.query('select role, body from message where chat_id = $1 order by id desc limit 20', [chat]);
  return found.rows.reverse().map((row) => ({ role: row.role, content: row.body }));
}

export async function askModel(history, text) {
  const answer = await fetch(`${world}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [...history, { role: 'user', content: text }] }),
  });
  return (await answer.json()).choices[0].message.content;
}

export async function save(chat, question, reply) {
  await pool.query('insert into message (chat_id, role, body) values ($1, $2, $3), ($1, $4, $5)',
    [chat, 'user', question, 'assistant', reply]);
}

const read = (request) => new Promise((done, failed) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => done(Buffer.concat(parts).toString()));
  request.on('error', failed);
});

// A webhook without a framework: 401 without the secret, 200 once `accept` is through.
export const webhook = (accept) => async (request, response) => {
  try {
    if (request.headers['x-telegram-bot-api-secret-token'] !== secret) {
      response.statusCode = 401;
    } else {
      const update = JSON.parse(await read(request));
      if (allowed.has(update.message?.from?.id)) await accept(update);
      response.statusCode = 200;
    }
  } catch (error) {
    console.error(error);
    response.statusCode = 500;
  }
  response.end();
};

export function serve(handler) {
  const server = http.createServer(handler);
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => {
    console.log(`127.0.0.1:${server.address().port}`);
  });
}
