#include "server/flow_surroundings.hpp"

#include "server/flow_services.hpp"

namespace postrider::server {

agent::flow::surroundings surroundings_of(config const& from) {
    agent::flow::surroundings made;
    for (auto const& [name, entry] : from.models) {
        made.models.push_back(name);
        made.providers.emplace(name, providers_of(entry));
    }
    for (auto const& each : from.bots) made.bots.push_back(each.name);
    for (auto const& each : from.secrets) made.secrets.push_back(each.first);
    return made;
}

std::vector<std::string> agents_of(config const& from) {
    std::vector<std::string> all;
    for (auto const& each : from.bots) all.push_back(each.agent);
    return all;
}

} // namespace postrider::server
