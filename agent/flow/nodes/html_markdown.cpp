#include "agent/flow/nodes/field_of_item.hpp"
#include "agent/tools/html_text.hpp"

namespace postrider::agent::flow {

namespace {

base::result<outputs> write_markdown(item_run const& run) {
    html_text page;
    page.read(run.parameters.at("html").get_string());
    return to_main(with_field(
        run.input, run.parameters.at("field").get_string(), boost::json::value(page.finish())
    ));
}

} // namespace

behaviour html_markdown_behaviour() {
    return pure{write_markdown};
}

} // namespace postrider::agent::flow
