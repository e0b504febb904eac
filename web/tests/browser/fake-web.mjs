// Sites on this machine that flows ask: a shop that wants a key, and a feed of news.
import http from "node:http";

const feedOf = (entries) => `<rss version="2.0"><channel><title>News</title>${entries.map((title) => `<item><title>${title}</title><link>https://news.example/${title}</link></item>`).join("")}</channel></rss>`;

export async function startWeb() {
  const web = { key: "key-of-the-shop", entries: [] };
  const server = http.createServer((request, response) => {
    const [, place, id] = request.url.split("/");
    if (place === "feed.xml") return response.writeHead(200, { "Content-Type": "application/rss+xml" }).end(feedOf(web.entries));
    if (place !== "orders") return response.writeHead(404).end();
    if (request.headers.authorization !== `Bearer ${web.key}`) return response.writeHead(401).end();
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ id, customer: "Ada", total: 70 }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  web.host = `127.0.0.1:${server.address().port}`;
  web.stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return web;
}
