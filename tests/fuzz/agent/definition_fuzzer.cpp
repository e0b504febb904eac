// Any bytes as a definition: it is refused with a list, or read; what was read keeps its document,
// can be validated, and becomes a graph exactly when nothing in the list keeps it from running.
#include "agent/flow/validate/graph.hpp"

#include <boost/json/serialize.hpp>

#include <cstdint>
#include <cstdlib>

namespace {

using namespace postrider::agent::flow;

void require(bool held) {
    if (!held) std::abort();
}

void check(std::vector<problem> const& problems) {
    for (auto const& finding : problems) {
        require(!finding.code.empty() && !finding.message.empty());
        require(finding.path.empty() || finding.path.front() == '/');
        (void)boost::json::serialize(to_json(finding));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static catalog const types = builtin_types();
    auto read = read_definition(std::string_view(reinterpret_cast<char const*>(data), size));
    if (auto const* problems = std::get_if<std::vector<problem>>(&read)) {
        require(!problems->empty());
        check(*problems);
        return 0;
    }
    auto const& flow = std::get<definition>(read);
    require(std::holds_alternative<definition>(read_definition(boost::json::value(flow.document))));
    validation_context context;
    context.names["model"] = {"default"};
    context.names["bot"] = {"main"};
    auto const problems = validate(flow, types, context);
    check(problems);
    bool const runs = !any_error(validate(flow, types, context, purpose::running));
    require(runs || any_error(problems));
    auto const compilation = graph::compile(flow, types, context);
    require(std::holds_alternative<std::shared_ptr<graph const>>(compilation) == runs);
    return 0;
}
