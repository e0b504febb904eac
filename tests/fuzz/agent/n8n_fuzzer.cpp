// Any text as an expression of n8n's and as a workflow: converting ends; what was converted parses here, and a draft
// can be read, but for its bounds.
#include "agent/expression/expression.hpp"
#include "agent/flow/n8n/expression/conversion.hpp"
#include "agent/flow/n8n/import.hpp"
#include "base/utf8.hpp"

#include <boost/json/serialize.hpp>

#include <cstdint>
#include <cstdlib>

namespace {

using namespace postrider;
using namespace postrider::agent;

void require(bool held) {
    if (!held) std::abort();
}

class no_surroundings final : public flow::n8n::surroundings {
public:
    std::string node_name(std::string_view name) const override { return std::string(name); }
    flow::n8n::renamed_members renamed_of(std::string_view) const override { return {}; }
    flow::n8n::renamed_members renamed_here() const override { return {}; }
};

// The text as a parameter of a node that does something with each of its kinds.
std::string workflow_with(std::string_view text) {
    boost::json::object const parameters{{"value", text}, {"jsonOutput", text}, {"mode", "raw"}};
    boost::json::array nodes;
    for (auto type : {"set", "if", "telegram", "agent", "httpRequest", "vendor"})
        nodes.push_back(
            {{"name", type}, {"type", std::string("n.") + type}, {"parameters", parameters}}
        );
    return boost::json::serialize(boost::json::object{{"nodes", nodes}});
}

void check(std::string_view text, flow::catalog const& types) {
    auto const draft = flow::n8n::import_workflow(text, types);
    if (!draft) return require(!draft.error().message.empty());
    auto const read = flow::read_definition(draft->document);
    auto const* problems = std::get_if<std::vector<flow::problem>>(&read);
    if (!problems) return;
    for (auto const& problem : *problems)
        require(problem.code.starts_with("too_") || problem.code == "out_of_range");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static auto const types = flow::builtin_types();
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    flow::n8n::conversion_budget budget;
    auto const done = flow::n8n::convert(text, no_surroundings(), budget);
    if (done)
        require(expression::parse(done->source, from_ai::allowed).has_value());
    else
        require(!done.error().reason.empty());
    check(text, types);
    if (base::is_utf8(text) && !base::has_nul(text)) check(workflow_with(text), types);
    return 0;
}
