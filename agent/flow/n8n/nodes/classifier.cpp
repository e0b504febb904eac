#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/n8n/unique_names.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view classifier_types[]{"textClassifier", "sentimentAnalysis"};

void map_classifier(translation& in) {
    in.become("classify");
    in.put("text", "inputText");
    in.draft.outputs.clear();
    boost::json::array categories;
    auto names = output_names();
    auto const add = [&](boost::json::value const& name, boost::json::value const* description) {
        in.draft.outputs.push_back(names.add(short_name(name.get_string(), 50), " "));
        boost::json::object category{{"name", in.draft.outputs.back()}};
        if (description && description->is_string())
            category["description"] = in.converted("categories", *description);
        categories.push_back(std::move(category));
    };
    auto const* list = in.find("categories.categories");
    for (std::size_t i = 0; list && list->is_array() && i < list->get_array().size(); ++i) {
        auto const* entry = list->get_array()[i].if_object();
        auto const* name = entry ? entry->if_contains("category") : nullptr;
        if (name && name->is_string() && !name->get_string().empty())
            add(*name, entry->if_contains("description"));
    }
    if (in.node().short_type() == "sentimentAnalysis")
        for (auto name : {"Positive", "Neutral", "Negative"}) add(name, nullptr);
    if (categories.empty())
        return in.become_placeholder("it sorted texts into categories that are computed");
    in.put_value("categories", std::move(categories));
    if (in.is_true("options.multiClass")) in.put_value("several", true);
    in.put("instructions", "options.systemPromptTemplate");
    in.draft.outputs.push_back("otherwise");
}

} // namespace

extern constinit mapping const classifier_mapping{
    .types = classifier_types, .map = map_classifier, .items = passing::same};

} // namespace postrider::agent::flow::n8n
