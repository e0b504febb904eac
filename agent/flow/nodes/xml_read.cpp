#include "agent/flow/nodes/field_of_item.hpp"
#include "agent/formats/xml.hpp"

namespace postrider::agent::flow {

namespace {

base::result<outputs> read_xml(item_run const& run) {
    auto const& parameters = run.parameters;
    std::vector<std::string> lists;
    for (auto const& name : parameters.at("lists").get_array())
        lists.emplace_back(name.get_string());
    auto document = formats::xml_to_json(parameters.at("text").get_string(), lists);
    if (!document) return document.error();
    return to_main(with_field(run.input, parameters.at("field").get_string(), std::move(*document))
    );
}

} // namespace

behaviour xml_read_behaviour() {
    return pure{read_xml};
}

} // namespace postrider::agent::flow
