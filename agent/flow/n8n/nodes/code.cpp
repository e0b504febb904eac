#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view code_node_types[]{"code", "function", "functionItem"};

void map_code(translation& in) {
    in.become("code");
    bool const is_python = in.word("language").starts_with("python");
    if (is_python) in.put_value("language", "python");
    auto const code = in.word(
        is_python           ? "pythonCode"
        : in.find("jsCode") ? "jsCode"
                            : "functionCode"
    );
    in.put_value("code", boost::json::value(code.empty() ? "return items;" : code));
    if (in.word("mode") == "runOnceForEachItem" || in.node().short_type() == "functionItem")
        in.put_value("run", "each");
    in.warn(
        "n8n_difference",
        "code",
        "code runs in a process of its own, without network and files",
        "look whether it uses more than its items"
    );
}

} // namespace

extern constinit mapping const code_mapping{.types = code_node_types, .map = map_code};

} // namespace postrider::agent::flow::n8n
