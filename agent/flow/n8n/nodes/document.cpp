#include "agent/flow/n8n/mapping.hpp"

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view document_types[]{
    "documentDefaultDataLoader",
    "documentJsonInputLoader",
    "documentBinaryInputLoader",
    "textSplitterCharacterTextSplitter",
    "textSplitterRecursiveCharacterTextSplitter",
    "textSplitterTokenSplitter"};

// What it hangs on, also by another such part.
std::vector<std::size_t> hosts_of(translation const& in) {
    std::vector<std::size_t> hosts{in.index()};
    for (std::size_t at = 0; at < hosts.size() && at < 8; ++at)
        for (auto const number : in.flow().links_from(hosts[at])) {
            auto const host = in.flow().links[number].to;
            if (std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
        }
    return hosts;
}

// A summary reads the whole text here; parts of it are for stores of vectors.
void map_document(translation& in) {
    bool const is_read_whole = std::ranges::any_of(hosts_of(in), [&](std::size_t host) {
        return in.part(host).short_type() == "chainSummarization";
    });
    if (!is_read_whole)
        return in.become_placeholder("it cut documents into parts. `postrider knowledge add` does "
                                     "that here, for nodes of the "
                                     "type knowledge");
    in.draft.left_out = true;
}

} // namespace

extern constinit mapping const document_mapping{.types = document_types, .map = map_document};

} // namespace postrider::agent::flow::n8n
