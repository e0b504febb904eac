#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view xml_types[]{"xml"};
constexpr std::string_view xml_field = "xml";

bool reads_xml(translation const& in) {
    return in.word("mode", "xmlToJson") == "xmlToJson";
}

// n8n has the document in place of the item; here it is a field of it.
constexpr renamed_member xml_members[]{{"*", xml_field}};

renamed_members members_of_xml(translation const& in) {
    return reads_xml(in) ? renamed_members(xml_members) : renamed_members();
}

void map_xml(translation& in) {
    auto const field = in.word("dataPropertyName", "data");
    if (reads_xml(in)) {
        in.become("xml.read");
        in.put_value("text", boost::json::value(in_braces(in.field("text", field))));
        in.put_value("field", boost::json::value(xml_field));
        in.warn(
            "n8n_difference",
            "text",
            "an attribute has an @ before its name here",
            "write $json.xml.item[\"@id\"] for it"
        );
        return;
    }
    in.become("xml.write");
    in.put_value("document", "{{ $json }}");
    in.put_value("field", boost::json::value(field));
    if (in.word("options.rootName").empty())
        in.warn(
            "n8n_difference",
            "document",
            "n8n puts an element root around items with several fields",
            "an item with one field is that element"
        );
    else
        in.put_value(
            "document",
            boost::json::object{{in.word("options.rootName"), boost::json::value("{{ $json }}")}}
        );
}

} // namespace

extern constinit mapping const xml_mapping{
    .types = xml_types, .map = map_xml, .renamed = members_of_xml};

} // namespace postrider::agent::flow::n8n
