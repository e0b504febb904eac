#pragma once
// What calls the code of a node within its interpreter. Both read {"code", "items", "each", "values"} from their
// input and write {"items": […]} or {"error": "…"} to their output.
#include <string_view>

namespace postrider::agent::flow {

// `$input` is the array of all items, with n8n's all(), first() and last(); `$json` is the item, or the
// first one; `items` are all items in n8n's form, {json}. `$values` are the node's values, and $("Name") is the
// list of one, with n8n's methods. The code may have variables of these names. What the code prints is thrown away. The first
// answer counts, also one from outside the awaited function: of a timer, or of a promise without a catch.
inline constexpr std::string_view javascript_program = R"js(
'use strict';
const { Script } = require('vm');
const write = process.stdout.write.bind(process.stdout);
const exit = process.exit.bind(process);
let isAnswered = false;
// A half of a character alone is no text.
const wellFormed = text => text.replace(/\\(?:u(d[89a-f][0-9a-f]{2})|[^])/g, (escape, half) => half ? '\ufffd' : escape);
const answer = value => {
  if (isAnswered) return;
  const text = wellFormed(JSON.stringify(value));
  isAnswered = true;
  write(text, () => exit(0));
};
const lineOf = error => {
  const line = /^code:(\d+)\n|\n\s+at .*?\bcode:(\d+):\d+\)?/.exec(String(error && error.stack || ''));
  return line ? ` (line ${line[1] || line[2]})` : '';
};
const fail = error => {
  let text = 'it threw a value that has no text';
  try {
    const isError = error !== null && typeof error === 'object' && 'message' in error;
    text = (isError ? `${error.name || 'Error'}: ${error.message}` : String(error)).slice(0, 500) + lineOf(error);
  } catch {}
  answer({ error: text });
};
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
process.on('beforeExit', () => fail('it waits for what never comes'));
let text = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', piece => { text += piece; });
process.stdin.on('end', async () => {
  for (const name of Object.keys(console)) console[name] = () => {};
  const wrap = json => ({ json });
  const unwrap = item => item !== null && typeof item === 'object' && !Array.isArray(item) &&
    item.json !== null && typeof item.json === 'object' && !Array.isArray(item.json) &&
    Object.keys(item).every(key => ['json', 'pairedItem', 'binary'].includes(key)) ? item.json : item;
  const list = result => (result === undefined || result === null ? [] : Array.isArray(result) ? result : [result]).map(unwrap);
  try {
    const { code, items, each, values } = JSON.parse(text);
    let index = 0;
    const listOf = name => {
      if (!Object.hasOwn(values, name)) throw new Error(`the node's values have no "${String(name)}"`);
      const others = [].concat(values[name] ?? []);
      const at = place => place in others ? wrap(others[place]) : undefined;
      return {
        all: () => others.map(wrap),
        first: () => at(0),
        last: () => at(others.length - 1),
        itemMatching: at,
        isExecuted: others.length > 0,
        item: at(each && others.length === items.length ? index : 0),
        json: others[0],
      };
    };
    const nodes = new Proxy({}, { get: (none, name) => listOf(name) });
    const input = Object.assign([...items], {
      all: () => items.map(wrap),
      first: () => wrap(items[0]),
      last: () => wrap(items[items.length - 1]),
    });
    // The code has its lines as the node has them: those before and behind are not counted.
    const source = '(async function ($input, $json, items, $values, $, $node, $itemIndex) { "use strict"; ' +
      'return await (async () => {\n' + code + '\n})(); })';
    const work = new Script(source, { filename: 'code', lineOffset: -1 }).runInThisContext();
    const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
    new AsyncFunction(code); // throws where the code ends the function around it
    let results = [];
    if (each) {
      for (const item of items) {
        input.item = wrap(item);
        results = results.concat(list(await work(input, item, items.map(wrap), values, listOf, nodes, index)));
        ++index;
      }
    } else results = list(await work(input, items[0], items.map(wrap), values, listOf, nodes, 0));
    answer({ items: results });
  } catch (e) {
    fail(e);
  }
});
)js";

// `items` is the list of all items, `item` the item, or the first one, and `values` the node's values. `_input`,
// `_items`, `_json` and _("Name") are n8n's names for them. What the code prints is thrown away. The code becomes the body of a function as it is, so texts of several lines stay as they are.
inline constexpr std::string_view python_program = R"py(
import ast, io, json, sys
out = sys.stdout.buffer
sys.stdout = sys.stderr = io.StringIO()
class Record(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None
class Items:
    def __init__(self, records, item):
        self.records, self.item = [Record(json=record) for record in records], item
    def all(self):
        return self.records
    def first(self):
        return self.records[0] if self.records else None
    def last(self):
        return self.records[-1] if self.records else None
def unwrapped(item):
    wrapped = isinstance(item, dict) and isinstance(item.get('json'), dict)
    return item['json'] if wrapped and set(item) <= {'json', 'pairedItem', 'binary'} else item
def as_list(result):
    results = [] if result is None else list(result) if isinstance(result, (list, tuple)) else [result]
    return [unwrapped(item) for item in results]
def line_of(error):
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == 'code' else None
    place = error.__traceback__
    while place:
        if place.tb_frame.f_code.co_filename == 'code':
            line = place.tb_lineno
        place = place.tb_next
    return '' if line is None else ' (line %d)' % line
def text_of(error):
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return (type(error).__name__ + (': ' + message if message else ''))[:500] + line_of(error)
try:
    request = json.loads(sys.stdin.buffer.read(), object_hook=Record)
    items, values = request['items'], request['values']
    def items_of(name):
        return Items(values[name], Record(json=values[name][0]) if values[name] else None)
    def work_on(item):
        names.update(_json=item, _input=Items(items, Record(json=item)))
        return as_list(names['work'](items, item))
    names = {'values': values, '_': items_of, '_items': [Record(json=item) for item in items]}
    module = ast.parse('def work(items, item): pass')
    module.body[0].body = ast.parse(request['code'], 'code').body or module.body[0].body
    exec(compile(module, 'code', 'exec'), names)
    results = []
    if request['each']:
        for item in items:
            results += work_on(item)
    else:
        results = work_on(items[0] if items else None)
    answer = json.dumps({'items': results}, allow_nan=False, ensure_ascii=False)
except BaseException as e:
    answer = json.dumps({'error': text_of(e)}, ensure_ascii=False)
# A half of a character alone is no text.
out.write(answer.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace').encode())
out.flush()
)py";

} // namespace postrider::agent::flow
