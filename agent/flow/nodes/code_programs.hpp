#pragma once
// What calls the code of a node within its interpreter. Both read {"code", "items", "each"} from their input
// and write {"items": […]} or {"error": "…"} to their output.
#include <string_view>

namespace postrider::agent::flow {

// `$input` is the array of all items, with n8n's all(), first() and last(); `$json` is the item, or the
// first one; `items` are all items in n8n's form, {json}. What the code prints is thrown away.
inline constexpr std::string_view javascript_program = R"js(
'use strict';
let text = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', piece => { text += piece; });
process.stdin.on('end', async () => {
  const write = process.stdout.write.bind(process.stdout);
  for (const name of Object.keys(console)) console[name] = () => {};
  const wrap = json => ({ json });
  const unwrap = item => item !== null && typeof item === 'object' && !Array.isArray(item) &&
    item.json !== null && typeof item.json === 'object' && !Array.isArray(item.json) &&
    Object.keys(item).every(key => ['json', 'pairedItem', 'binary'].includes(key)) ? item.json : item;
  const list = result => (result === undefined || result === null ? [] : Array.isArray(result) ? result : [result]).map(unwrap);
  try {
    const { code, items, each } = JSON.parse(text);
    const input = Object.assign([...items], {
      all: () => items.map(wrap),
      first: () => wrap(items[0]),
      last: () => wrap(items[items.length - 1]),
    });
    const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
    const work = new AsyncFunction('$input', '$json', 'items', '"use strict";\n' + code);
    let results = [];
    if (each) {
      for (const item of items) {
        input.item = wrap(item);
        results = results.concat(list(await work(input, item, items.map(wrap))));
      }
    } else results = list(await work(input, items[0], items.map(wrap)));
    write(JSON.stringify({ items: results }), () => process.exit(0));
  } catch (e) {
    write(JSON.stringify({ error: String(e && e.message || e).slice(0, 500) }), () => process.exit(0));
  }
});
)js";

// `items` is the list of all items, and `item` the item, or the first one. What the code prints is thrown
// away.
inline constexpr std::string_view python_program = R"py(
import io, json, sys, textwrap
out = sys.stdout
sys.stdout = sys.stderr = io.StringIO()
def as_list(result):
    return [] if result is None else list(result) if isinstance(result, (list, tuple)) else [result]
try:
    request = json.load(sys.stdin)
    items = request['items']
    names = {}
    source = 'def work(items, item):\n' + textwrap.indent(request['code'], '    ', lambda line: True) + '\n    pass\n'
    exec(compile(source, 'code', 'exec'), names)
    results = []
    if request['each']:
        for item in items:
            results += as_list(names['work'](items, item))
    else:
        results = as_list(names['work'](items, items[0] if items else None))
    answer = json.dumps({'items': results}, allow_nan=False)
except BaseException as e:
    answer = json.dumps({'error': (type(e).__name__ + ': ' + str(e))[:500]})
out.write(answer)
out.flush()
)py";

} // namespace postrider::agent::flow
