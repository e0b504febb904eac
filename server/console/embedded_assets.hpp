#pragma once
// The console's files, as the build made them of web/ (web/embed.mjs writes the table). They are a
// part of the program, so every view of them is valid for as long as the process lives.
#include <span>
#include <string_view>

namespace postrider::console {

struct embedded_asset {
    std::string_view path; // "/console/assets/console-3FB2.js"; the page is "/console"
    std::string_view type;
    std::string_view tag; // the digest of the identity form
    std::string_view identity;
    std::string_view gzip;   // empty: it would save too little
    std::string_view brotli; // empty likewise
    bool immutable = false;  // its name changes with its content
};

// Empty where the build had no Node.js.
std::span<embedded_asset const> embedded_assets();

} // namespace postrider::console
