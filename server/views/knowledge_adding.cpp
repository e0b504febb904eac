#include "server/views/knowledge_adding.hpp"

#include "agent/knowledge/document.hpp"
#include "base/json/json.hpp"
#include "base/json/nul.hpp"
#include "base/json/text.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::server {

namespace knowledge = agent::knowledge;

namespace {

constexpr std::size_t most_flows = 100;

} // namespace

std::string problem_of_collection_name(std::string_view name) {
    if (knowledge::is_collection_name(name)) return {};
    return "a collection's name has a-z, 0-9, _ and -, and 64 of them at most";
}

std::string problem_of_document_name(std::string_view name) {
    if (name.empty()) return "a document has a name";
    if (name.size() > knowledge::longest_document_name)
        return fmt::format(
            "a document's name has {} bytes at most", knowledge::longest_document_name
        );
    bool const has_control = std::ranges::any_of(name, [](char c) { return c >= 0 && c < ' '; });
    return has_control || !base::is_utf8(name) ? "a document's name is text in one line" : "";
}

std::string problem_of_address(std::string_view url) {
    if (!url.starts_with("http://") && !url.starts_with("https://"))
        return "an address begins with http:// or https://";
    return problem_of_document_name(url);
}

std::string problem_of_metadata(boost::json::object const& metadata) {
    if (base::json_text(metadata).size() > knowledge::most_metadata_bytes)
        return fmt::format("metadata has {} KiB at most", knowledge::most_metadata_bytes >> 10);
    return base::holds_nul(metadata) ? "metadata has no U+0000" : "";
}

base::result<knowledge::collection_access> access_from(boost::json::value const& value) {
    auto const* members = value.if_object();
    if (!members) return base::error(base::errc::invalid, "access is an object");
    knowledge::collection_access access;
    for (auto const& [name, member] : *members) {
        if (name == "people") {
            auto const* word = member.if_string();
            auto const people = word ? knowledge::allowed_people_from_string(*word) : std::nullopt;
            if (!people)
                return base::error(base::errc::invalid, "access.people is owners or allowed");
            access.people = *people;
        } else if (name == "flows") {
            if (member.is_null()) continue;
            auto const* flows = member.if_array();
            bool const are_names = flows && flows->size() <= most_flows &&
                                   std::ranges::all_of(*flows, [](auto const& flow) {
                                       return flow.is_string() && flow.get_string().size() <= 63;
                                   });
            if (!are_names)
                return base::error(
                    base::errc::invalid, "access.flows is a list of names of flows, 100 at most"
                );
            access.flows.emplace();
            for (auto const& flow : *flows) access.flows->emplace_back(flow.get_string());
        } else {
            return base::error(
                base::errc::invalid, "access has flows and people, and nothing else"
            );
        }
    }
    return access;
}

} // namespace postrider::server
