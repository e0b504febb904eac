// `flows publish|versions|diff|restore|archive|unarchive|delete`: what becomes of a flow.
#include "server/cli/command.hpp"
#include "server/cli/flow_report.hpp"
#include "server/cli/flow_work.hpp"
#include "server/cli/table.hpp"
#include "server/views/flow_json.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

namespace flow = agent::flow;

constexpr int most_listed = 1000;

// As it is after a change.
boost::json::object now(storage::transaction& tx, storage::flow_row const& row) {
    return server::flow_json(storage::find_flow(tx, row.name).value());
}

} // namespace

int flows_publish(context const& in) {
    if (!storage::fits_flow_note(in.args.flow.note))
        return usage(in, fmt::format("--note has over {} characters", storage::flow_note_limit));
    auto const types = flow::builtin_types();
    auto const judge = judge_of(in, types);
    flow::publisher const who{std::string(publisher), in.args.flow.note};
    return on_flow(in, "publish the flow", [&](auto& tx, auto const& row) -> flow::allowed<report> {
        auto const published = flow::publish(tx, row, who, judge);
        if (!published) return published.error();
        auto body = now(tx, row);
        body["version"] = published->version;
        body["fresh"] = published->fresh;
        body["problems"] = server::problems_json(published->problems);
        auto const state = published->fresh ? "is published" : "is published already";
        auto said = fmt::format("{} v{} {}.\n", row.name, published->version, state);
        return report{std::move(body), "", said + to_text(published->problems)};
    });
}

int flows_versions(context const& in) {
    return on_flow(in, "read the versions", [&](auto& tx, auto const& row) {
        auto const versions = storage::list_versions(tx, row.id, 0, most_listed);
        boost::json::array all;
        for (auto const& each : versions) all.push_back(server::version_json(each));
        auto const none = versions.empty() ? row.name + " was never published.\n" : std::string{};
        return report{
            {{"versions", std::move(all)}}, versions.empty() ? "" : to_text(versions), none};
    });
}

int flows_diff(context const& in) {
    return on_flow(in, "compare them", [&](auto& tx, auto const& row) -> flow::allowed<report> {
        auto const found = flow::compare(tx, row, in.args.flow.from, in.args.flow.to);
        if (!found) return found.error();
        auto const none = found->empty() ? "Nothing differs.\n" : "";
        return report{flow::to_json(*found), printable(flow::to_text(*found)), none};
    });
}

int flows_restore(context const& in) {
    auto const version = std::stoll(in.args.flow.version);
    return on_flow(
        in,
        "restore the version",
        [&](auto& tx, auto const& row) -> flow::allowed<report> {
            auto const done = flow::restore(tx, row, version);
            if (!done) return done.error();
            return report{
                now(tx, row),
                "",
                fmt::format("The draft of {} is v{} again.\n", row.name, version)};
        }
    );
}

int flows_archive(context const& in) {
    return on_flow(in, "archive the flow", [&](auto& tx, auto const& row) {
        flow::archive(tx, row);
        return report{now(tx, row), "", row.name + " starts no more; what runs goes on.\n"};
    });
}

int flows_unarchive(context const& in) {
    return on_flow(
        in,
        "take it out of the archive",
        [&](auto& tx, auto const& row) -> flow::allowed<report> {
            auto const done = flow::unarchive(tx, row);
            if (!done) return done.error();
            return report{now(tx, row), "", row.name + " may start again.\n"};
        }
    );
}

int flows_delete(context const& in) {
    return on_flow(in, "delete the flow", [&](auto& tx, auto const& row) -> flow::allowed<report> {
        auto const gone = flow::remove(tx, row);
        if (!gone) return gone.error();
        return report{{{"deleted", row.name}}, "", row.name + " is deleted.\n"};
    });
}

} // namespace postrider::cli
