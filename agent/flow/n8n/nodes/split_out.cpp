#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view split_out_types[]{"splitOut"};

void map_split_out(translation& in) {
    in.become("items.split");
    auto field = in.word("fieldToSplitOut");
    if (auto const comma = field.find(','); comma != field.npos) {
        field.resize(comma);
        in.warn("n8n_parameter", "list", "it split several lists; the first one is taken");
    }
    bool const computed = in.is_computed("fieldToSplitOut");
    if (!computed) {
        in.put_value("list", boost::json::value(in_braces(in.field("list", field))));
    } else {
        in.put("list", "fieldToSplitOut");
    }
    auto const last = field.substr(field.rfind('.') == field.npos ? 0 : field.rfind('.') + 1);
    auto const target = in.word("options.destinationFieldName", computed ? "value" : last);
    if (!target.empty()) in.put_value("field", boost::json::value(target));
    if (in.find("options.destinationFieldName")) in.put_value("wrap", true);
    if (in.word("include", "noOtherFields") != "noOtherFields") in.put_value("keep_others", true);
}

} // namespace

extern constinit mapping const split_out_mapping{.types = split_out_types, .map = map_split_out};

} // namespace postrider::agent::flow::n8n
