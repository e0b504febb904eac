#include "agent/flow/nodes/field_of_item.hpp"
#include "agent/formats/xml.hpp"

namespace postrider::agent::flow {

namespace {

base::result<outputs> write_xml(item_run const& run) {
    auto text = formats::json_to_xml(run.parameters.at("document"));
    if (!text) return text.error();
    return to_main(
        with_field(run.input, run.parameters.at("field").get_string(), boost::json::value(*text))
    );
}

} // namespace

behaviour xml_write_behaviour() {
    return pure{write_xml};
}

} // namespace postrider::agent::flow
