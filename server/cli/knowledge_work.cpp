#include "server/cli/knowledge_work.hpp"

#include "server/cli/table.hpp"
#include "server/views/knowledge_adding.hpp"

#include <fmt/format.h>

#include <charconv>
#include <ostream>

namespace postrider::cli {

namespace json = boost::json;
namespace knowledge = agent::knowledge;

namespace {

json::value value_from(std::string const& text) {
    if (text == "true") return true;
    if (text == "false") return false;
    std::int64_t number = 0;
    auto const* const end = text.data() + text.size();
    auto const read = std::from_chars(text.data(), end, number);
    if (!text.empty() && read.ec == std::errc() && read.ptr == end) return number;
    return json::value(json::string(text));
}

} // namespace

value_check collection_name() {
    return {[](std::string const& text) { return server::problem_of_collection_name(text); }, ""};
}

base::result<json::object> metadata_from(std::vector<std::string> const& pairs) {
    json::object metadata;
    for (auto const& pair : pairs) {
        auto const sign = pair.find('=');
        if (sign == pair.npos || sign == 0)
            return base::error(base::errc::invalid, "metadata is KEY=VALUE, not " + pair);
        metadata[pair.substr(0, sign)] = value_from(pair.substr(sign + 1));
    }
    if (auto problem = server::problem_of_metadata(metadata); !problem.empty())
        return base::error(base::errc::invalid, std::move(problem));
    return metadata;
}

int no_collection(context const& in, std::string_view name) {
    in.err << fmt::format("postrider: there is no collection {}\n", name);
    return 1;
}

std::string state_text(knowledge::stored_document const& document) {
    auto const state = knowledge::to_string(document.state);
    switch (document.state) {
    case knowledge::document_state::reading:
        if (document.parts == 0) return std::string(state);
        return fmt::format("{} {}/{}", state, document.parts_done, document.parts);
    case knowledge::document_state::failed:
        return fmt::format("failed: {}", one_line(document.error->message, 120));
    case knowledge::document_state::ready:
        break;
    }
    return std::string(state);
}

} // namespace postrider::cli
