// Knowledge in the console: a collection is made, files are dropped and chosen, one of them is broken, and what is read is found,
// replaced and removed.
import { looksRight } from "./browser.mjs";
import { settled } from "./world.mjs";

const hours = (time) => `# Shop\n\nWe sell tea.\n\n## Opening hours\n\nThe shop opens at ${time} on weekdays.\n`;
const markdown = (time) => ({ name: "hours.md", mimeType: "text/markdown", buffer: Buffer.from(hours(time)) });
const broken = { name: "broken report whose name is longer than the screen of a phone is wide.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\nthis is no PDF\n") };

const main = (page) => page.locator("main");
const row = (page, name) => page.getByRole("table", { name: "Documents" }).getByRole("row", { name });
const inState = (page, name, words) => row(page, name).getByText(words, { exact: true }).waitFor();

/** As a person drags files from a folder of the desktop. */
async function drop(page, files) {
  const transfer = await page.evaluateHandle((files) => {
    const own = new DataTransfer();
    for (const { name, type, text } of files) own.items.add(new File([text], name, { type }));
    return own;
  }, files.map(({ name, mimeType, buffer }) => ({ name, type: mimeType, text: buffer.toString() })));
  const place = page.locator(".drop");
  for (const type of ["dragenter", "dragover", "drop"]) await place.dispatchEvent(type, { dataTransfer: transfer });
}

async function make(page, server, check) {
  await page.goto(`${server.origin}/console/knowledge`);
  await settled(page);
  await page.getByRole("button", { name: "New collection" }).click();
  const dialog = page.getByRole("dialog", { name: "New collection" });
  await dialog.getByRole("button", { name: "Chosen flows" }).click();
  await dialog.getByLabel("assistant", { exact: true }).waitFor();
  await looksRight(page, check, "the dialog of a new collection");
  await dialog.getByRole("button", { name: "Every flow" }).click();
  await dialog.getByLabel("Name").fill("shop");
  await dialog.getByLabel("Description").fill("What customers ask about the shop.");
  await dialog.getByRole("button", { name: "Make it" }).click();
  await page.getByRole("heading", { name: "shop", level: 1 }).waitFor();
  await page.getByText("The collection has no documents.").waitFor();
  check((await main(page).getByText("What customers ask about the shop.").count()) === 1, "a collection is made, and an empty one says what to do");
}

async function add(page, check) {
  await drop(page, [markdown("nine"), broken]);
  await inState(page, /hours\.md/, "ready");
  await inState(page, /broken report/, "failed");
  const reason = await row(page, /broken report/).locator(".document-error").textContent();
  check(/^[A-Z].{10,}\.$/.test(reason ?? ""), `several files are dropped, and a broken one says why: ${reason}`);
  await main(page).getByText("All files are sent.").waitFor();
  await looksRight(page, check, "a collection with documents");
  const chooser = page.waitForEvent("filechooser");
  await main(page).getByRole("button", { name: "Choose files" }).press("Enter");
  await (await chooser).setFiles([markdown("nine")]);
  await main(page).getByText("unchanged: the collection has this file").waitFor();
  check(true, "files are chosen by keyboard, and one that is there changes nothing");
}

async function search(page, words) {
  await main(page).getByLabel("Words or a question").fill(words);
  await main(page).getByRole("button", { name: "Search", exact: true }).click();
}

async function find(page, check) {
  await search(page, "when does the shop open on weekdays?");
  const results = page.getByRole("list", { name: "Results" });
  await results.getByText("opens at nine").first().waitFor();
  check((await results.getByText("Shop > Opening hours").count()) > 0 && (await results.getByText(/^score /).count()) > 0, "a search shows the text with its document, heading and score");
  check((await main(page).getByText(/Vectors were not used/).count()) === 1, "a search says that vectors were not used");
  check(new URL(page.url()).searchParams.get("query") !== null, "the question is in the address");
  await looksRight(page, check, "results of a search");
  await results.getByRole("link", { name: "hours.md" }).first().click();
  await page.getByRole("list", { name: "Parts" }).getByText("Shop > Opening hours").waitFor();
  check(true, "a document has its parts with their headings");
  await looksRight(page, check, "a document");
  await page.goBack();
}

async function change(page, check) {
  await row(page, /hours\.md/).locator("input[type=file]").setInputFiles({ ...markdown("eleven"), name: "new hours.txt" });
  const results = page.getByRole("list", { name: "Results" });
  for (let tries = 0; tries < 60 && (await results.getByText("opens at eleven").count()) === 0; tries += 1) {
    await search(page, "when does the shop open on weekdays?");
    await results.getByText("opens at eleven").first().waitFor({ timeout: 1_000 }).catch(() => undefined);
  }
  check((await results.getByText("opens at eleven").count()) > 0 && (await results.getByText("opens at nine").count()) === 0, "a replaced document is found with its new text, and without the old one");
  check((await row(page, /new hours/).count()) === 0, "a replaced document keeps its name");
  await row(page, /broken report/).getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog", { name: /^Remove broken report/ }).getByRole("button", { name: "Remove" }).click();
  await row(page, /broken report/).waitFor({ state: "detached" });
  check((await row(page, /hours\.md/).count()) === 1, "one document is removed, and the others stay");
}

async function end(page, check) {
  await main(page).getByRole("button", { name: "Change", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Change shop" });
  await dialog.getByRole("button", { name: "Chosen flows" }).click();
  await dialog.getByLabel("assistant", { exact: true }).check();
  await dialog.getByLabel("People whose messages may search it").selectOption("owners");
  await dialog.getByRole("button", { name: "Save" }).click();
  await main(page).getByText("assistant, owners only").waitFor();
  check(true, "who may search a collection is changed");
  await main(page).getByRole("button", { name: "Delete", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Delete the collection shop?" });
  check((await question.getByText("Its 1 document ").count()) === 1, "the question before a deletion names the documents");
  await question.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "Knowledge", level: 1 }).waitFor();
  await page.getByText("There is no collection.").waitFor();
  check(true, "a collection is deleted");
}

// covers: S3.20
export async function knowledge({ server, check, open }) {
  const { page } = await open();
  await make(page, server, check);
  await add(page, check);
  await find(page, check);
  await change(page, check);
  await end(page, check);
}
