#include "server/views/flow_json.hpp"

#include "server/views/json_values.hpp"

namespace postrider::server {

namespace {

boost::json::string_view word(storage::flow_origin origin) {
    auto const text = storage::to_string(origin);
    return {text.data(), text.size()};
}

} // namespace

boost::json::object flow_json(storage::flow_row const& flow) {
    return {
        {"name", flow.name},
        {"description", flow.description},
        {"origin", word(flow.origin)},
        {"published_version", or_null(flow.published)},
        {"published_at", or_null(flow.published_at)},
        {"published_by", flow.published ? boost::json::value(flow.published_by) : nullptr},
        {"changed", flow.changed},
        {"revision", flow.revision},
        {"created_at", flow.created_at},
        {"updated_at", flow.updated_at},
        {"archived_at", or_null(flow.archived_at)}};
}

boost::json::object version_json(storage::flow_version_row const& version) {
    return {
        {"version", version.version},
        {"published_at", version.published_at},
        {"published_by", version.published_by},
        {"note", version.note},
        {"origin", word(version.origin)},
        {"sha256", version.digest}};
}

boost::json::array problems_json(std::vector<agent::flow::problem> const& problems) {
    boost::json::array all;
    for (auto const& problem : problems) all.push_back(agent::flow::to_json(problem));
    return all;
}

} // namespace postrider::server
