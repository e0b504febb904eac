// The console in a real browser against the real program: `node run.mjs PROGRAM PICTURES [--long] [PART…]`. Ends with 1 when
// something failed. A part is a file that exports one function; it gets the world and says what holds by `check`.
import { resolve } from "node:path";

import { administer } from "./administer.mjs";
import { attack } from "./attack.mjs";
import { bars } from "./bars.mjs";
import { big } from "./big.mjs";
import { bulk } from "./bulk.mjs";
import { consoles } from "./consoles.mjs";
import { conversation } from "./conversation.mjs";
import { crash } from "./crash.mjs";
import { demo } from "./demo.mjs";
import { editor } from "./editor.mjs";
import { flowsByKeyboard, flowsByMouse } from "./editor-flows.mjs";
import { editorLarge, editorOpens } from "./editor-large.mjs";
import { editorLive } from "./editor-live.mjs";
import { editorLooks } from "./editor-looks.mjs";
import { editorNotes } from "./editor-notes.mjs";
import { editorRuns } from "./editor-runs.mjs";
import { editorSaving } from "./editor-saving.mjs";
import { editorValues } from "./editor-values.mjs";
import { graph } from "./graph.mjs";
import { groups } from "./groups.mjs";
import { keyboard } from "./keyboard.mjs";
import { knowledge } from "./knowledge.mjs";
import { large } from "./large.mjs";
import { operations } from "./operations.mjs";
import { pages } from "./pages.mjs";
import { session } from "./session.mjs";
import { settled } from "./settled.mjs";
import { templates } from "./templates.mjs";
import { startWorld } from "./world.mjs";

const parts = [conversation, operations, administer, graph, editor, editorSaving, editorValues, editorNotes, editorRuns, editorLooks, templates, knowledge, pages, keyboard, bulk, settled, session, crash, demo, bars, attack];
const longParts = [groups, editorLive, editorLarge, flowsByMouse, flowsByKeyboard, big, consoles, large, editorOpens];

const words = process.argv.slice(2);
const long = words.includes("--long");
const [program, pictures, ...chosen] = words.filter((word) => !word.startsWith("--"));
if (!program || !pictures) throw new Error("usage: node run.mjs PROGRAM PICTURES [--long] [PART…]");

const world = await startWorld(resolve(program), resolve(pictures)); // the server has a folder of its own
try {
  for (const part of long ? [...parts, ...longParts] : parts) if (!chosen.length || chosen.includes(part.name)) await world.run(part);
} finally {
  await world.end();
}
console.log(world.failures.length ? `${world.failures.length} failed` : "all passed");
for (const failure of world.failures) console.log(`FAIL ${failure}`);
process.exitCode = world.failures.length ? 1 : 0;
