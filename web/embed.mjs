// The C++ file that makes the console's files part of the binary. The assembler reads them; the names of the
// files are digests of their content, so this text changes whenever one of them does.

const literal = (text) => JSON.stringify(text);

function incbin(symbol, file) {
  return `asm(".section .rodata\\n.balign 16\\n${symbol}:\\n.incbin \\"${file}\\"\\n.byte 0\\n.previous\\n");
extern char const ${symbol}[] asm("${symbol}");`;
}

/** The whole file. An empty list makes a binary without a console. */
export function table(assets) {
  const blobs = new Map(); // file to symbol
  for (const asset of assets)
    for (const form of [asset.identity, asset.gzip, asset.brotli])
      if (form && !blobs.has(form.file)) blobs.set(form.file, `postrider_console_asset_${blobs.size}`);
  const view = (form) => (form ? `{${blobs.get(form.file)}, ${form.size}}` : "{}");
  const rows = assets.map(
    (asset) => `        {.path = ${literal(asset.path)},
         .type = ${literal(asset.type)},
         .tag = ${literal(asset.etag)},
         .identity = ${view(asset.identity)},
         .gzip = ${view(asset.gzip)},
         .brotli = ${view(asset.brotli)},
         .immutable = ${asset.immutable}},`,
  );
  const body = assets.length
    ? `    static constexpr embedded_asset all[] = {\n${rows.join("\n")}\n    };\n    return all;`
    : "    return {};";
  return `#include "server/console/embedded_assets.hpp"

${[...blobs].map(([file, symbol]) => incbin(symbol, file)).join("\n")}

namespace postrider::console {

std::span<embedded_asset const> embedded_assets() {
${body}
}

} // namespace postrider::console
`;
}
