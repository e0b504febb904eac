#include "server/views/audit_json.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <charconv>

namespace postrider::server {

namespace json = boost::json;

namespace {

std::optional<std::int64_t> number_in(std::string_view text) {
    std::int64_t number = 0;
    auto const read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
    return number;
}

} // namespace

json::object audit_json(storage::audit_entry const& entry) {
    json::object object{
        {"lane_id", base::raw(entry.lane)},
        {"number", entry.number},
        {"lane", nullptr},
        {"job_id", nullptr},
        {"created_at", entry.created_at},
        {"kind", entry.kind},
        {"actor", entry.actor},
        {"subject", entry.subject},
        {"detail", entry.detail},
        {"content_sha256", nullptr},
        {"hash", entry.hash}};
    if (!entry.lane_key.empty()) object["lane"] = entry.lane_key;
    if (entry.job) object["job_id"] = base::raw(*entry.job);
    if (!entry.content_hash.empty()) object["content_sha256"] = entry.content_hash;
    if (entry.content) object["content"] = *entry.content;
    return object;
}

json::object audit_page_json(std::vector<storage::audit_entry> const& entries, int limit) {
    json::array all;
    for (auto const& entry : entries) all.push_back(audit_json(entry));
    json::object page{{"entries", std::move(all)}};
    if (std::ssize(entries) == limit)
        page["next"] = to_string(storage::audit_place{entries.back().lane, entries.back().number});
    return page;
}

json::object audit_verdict_json(audit_verdict const& verdict) {
    json::array breaks;
    for (auto const& broken : verdict.breaks)
        breaks.push_back(json::object{
            {"lane_id", base::raw(broken.place.lane)},
            {"number", broken.place.number},
            {"problem", broken.problem}});
    json::object object{
        {"chains", verdict.chains},
        {"links", verdict.links},
        {"keyed", verdict.keyed},
        {"broken", nullptr},
        {"broken_chains", verdict.broken}};
    if (!breaks.empty()) object["broken"] = breaks.front();
    object["breaks"] = std::move(breaks);
    json::array cuts;
    for (auto const& cut : verdict.cuts)
        cuts.push_back(json::object{
            {"lane_id", base::raw(cut.lane)},
            {"job_id", base::raw(cut.job)},
            {"step", cut.step},
            {"results", cut.results},
            {"rows", cut.rows}});
    object["lanes"] = verdict.lanes;
    object["cut"] = verdict.cut;
    object["cuts"] = std::move(cuts);
    return object;
}

std::string to_string(storage::audit_place const& place) {
    return fmt::format("{}/{}", base::raw(place.lane), place.number);
}

std::optional<storage::audit_place> audit_place_from_string(std::string_view text) {
    auto const slash = text.find('/');
    if (slash == text.npos) return std::nullopt;
    auto const lane = number_in(text.substr(0, slash));
    auto const number = number_in(text.substr(slash + 1));
    if (!lane || !number) return std::nullopt;
    return storage::audit_place{lane_id{*lane}, *number};
}

} // namespace postrider::server
