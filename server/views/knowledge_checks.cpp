#include "server/views/knowledge_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <unistd.h>

namespace postrider::server {

namespace {

// Counted up to 100,000 of each.
constexpr storage::statement count_documents{"check.documents", R"(
select (select count(*) from (select from postrider.collection x where x.name <> '-' limit 1000) c), count(*),
       count(*) filter (where d.state = 'failed'), count(*) filter (where d.state = 'reading'),
       exists (select from postrider.bare_parts(null, null, 0, 1))
from (select x.state from postrider.document x
      where x.collection_id is distinct from postrider.removed_documents() limit 100000) d)"};

// Where packages put programs.
bool is_installed(std::string_view program) {
    constexpr std::array<std::string_view, 3> folders{"/usr/local/bin", "/usr/bin", "/bin"};
    return std::ranges::any_of(folders, [&](std::string_view folder) {
        auto const place = std::filesystem::path(folder) / program;
        return ::access(place.c_str(), X_OK) == 0;
    });
}

finding warning(std::string detail, std::string advice = {}) {
    return {"knowledge", verdict::warn, std::move(detail), std::move(advice)};
}

} // namespace

findings look_at_knowledge(storage::transaction& tx, config const& settings) {
    auto const counts = tx.query(count_documents).front();
    if (counts.int64(0) == 0) return {};
    findings warnings;
    if (!is_installed("pdftotext"))
        warnings.push_back(warning("PDF files cannot be read", "apt-get install poppler-utils"));
    if (counts.int64(2) > 0)
        warnings.push_back(warning(
            fmt::format("documents that could not be read: {}", counts.int64(2)),
            in_psql("select name, error_code, error_message from postrider.document where state = "
                    "'failed' and error_code <> 'removed'")
        ));
    if (settings.embeddings && counts.boolean(4))
        warnings.push_back(warning(
            "some parts of documents are found by their words alone", "postrider knowledge reembed"
        ));
    if (!warnings.empty()) return warnings;
    return {
        {"knowledge",
         verdict::ok,
         fmt::format(
             "{} documents in {} collections, {} are being read",
             counts.int64(1),
             counts.int64(0),
             counts.int64(3)
         )}};
}

} // namespace postrider::server
