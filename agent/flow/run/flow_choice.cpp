#include "agent/flow/run/flow_choice.hpp"

#include "base/json/json.hpp"

namespace postrider::agent::flow {

flow_choice choice_of(execution_input const& input) {
    return {input.flow, input.version, input.document};
}

flow_choice choice_of(boost::json::value const& input) {
    base::json_reader const fields{input};
    flow_choice choice;
    choice.name = fields["flow"].string_or("");
    choice.version = fields["version"].int64_or(0);
    if (auto const* document = fields["document"].raw()) choice.document = *document;
    return choice;
}

base::awaitable<base::result<std::shared_ptr<graph const>>> find_chosen(
    node_services const& services, flow_choice choice
) {
    if (choice.document.is_null())
        co_return co_await services.find_flow(std::move(choice.name), choice.version);
    co_return services.compile(choice.name, choice.document);
}

} // namespace postrider::agent::flow
