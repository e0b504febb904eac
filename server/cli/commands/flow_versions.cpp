// `flows publish|versions|diff|restore|archive|unarchive|delete`: what becomes of a flow.
#include "agent/flow/library/failing_flows.hpp"
#include "base/texts.hpp"
#include "server/cli/flow_report.hpp"
#include "server/cli/flow_work.hpp"
#include "server/views/flow_json.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <iostream>
#include <unistd.h>

namespace postrider::cli {

namespace {

namespace flow = agent::flow;

constexpr int most_versions = 1000;

// As it is after a change.
boost::json::object flow_now(storage::transaction& tx, storage::flow_row const& row) {
    return server::flow_json(storage::find_flow(tx, row.name).value());
}

struct publication {
    named_flow flow;
    std::string note;
};

void declare_publication(option_parser& parser, publication& args) {
    declare_flow(parser, args.flow);
    parser.add_option("--note", args.note, "A note for people on what is new")->type_name("TEXT");
}

int publish(context const& in, publication const& args) {
    if (!storage::fits_flow_note(args.note))
        return usage(in, fmt::format("--note has over {} characters", storage::flow_note_limit));
    auto const types = flow::builtin_types();
    auto const validator = validator_of(in, types);
    flow::publisher const author{std::string(publisher), args.note};
    auto const work = [&](auto& tx, auto const& row) -> flow::allowed<report> {
        auto const published = flow::publish(tx, row, author, validator);
        if (!published) return published.error();
        auto body = flow_now(tx, row);
        body["version"] = published->version;
        body["fresh"] = published->fresh;
        body["problems"] = server::problems_json(published->problems);
        auto const state = published->fresh ? "is published" : "is published already";
        auto said = fmt::format("{} v{} {}.\n", row.name, published->version, state);
        return report{std::move(body), "", said + to_text(published->problems)};
    };
    return on_flow(in, args.flow.name, "publish the flow", work);
}

int versions(context const& in, named_flow const& args) {
    return on_flow(in, args.name, "read the versions", [&](auto& tx, auto const& row) {
        auto const versions = storage::list_versions(tx, row.id, 0, most_versions);
        boost::json::array rows;
        for (auto const& version : versions) rows.push_back(server::version_json(version));
        auto const none = versions.empty() ? row.name + " was never published.\n" : std::string{};
        return report{
            {{"versions", std::move(rows)}}, versions.empty() ? "" : to_text(versions), none};
    });
}

struct comparison {
    named_flow flow;
    std::string from = "published";
    std::string to = "draft";
};

void declare_comparison(option_parser& parser, comparison& args) {
    declare_flow(parser, args.flow);
    parser.add_option("--from", args.from, "A number, draft or published (published)")
        ->type_name("N");
    parser.add_option("--to", args.to, "A number, draft or published (draft)")->type_name("N");
}

// https://no-color.org
flow::change_marks marks_for(context const& in) {
    auto const set = [&](char const* name) {
        auto const variable = in.environment.find(name);
        return variable == in.environment.end() ? std::string() : variable->second;
    };
    bool const has_colours = &in.out == &std::cout && ::isatty(STDOUT_FILENO) == 1 &&
                             set("NO_COLOR").empty() && set("TERM") != "dumb";
    return has_colours ? flow::terminal_colours : flow::change_marks{};
}

int diff(context const& in, comparison const& args) {
    auto const work = [&](auto& tx, auto const& row) -> flow::allowed<report> {
        auto const difference = flow::compare(tx, row, args.from, args.to);
        if (!difference) return difference.error();
        auto const none = difference->empty() ? "Nothing differs.\n" : "";
        return report{flow::to_json(*difference), flow::to_text(*difference, marks_for(in)), none};
    };
    return on_flow(in, args.flow.name, "compare them", work);
}

struct restoration {
    named_flow flow;
    std::string version;
};

void declare_restoration(option_parser& parser, restoration& args) {
    declare_flow(parser, args.flow);
    parser.add_option("VERSION", args.version, "Number of the version")
        ->required()
        ->check(version_number());
}

int restore(context const& in, restoration const& args) {
    auto const version = std::stoll(args.version);
    auto const work = [&](auto& tx, auto const& row) -> flow::allowed<report> {
        auto const done = flow::restore(tx, row, version);
        if (!done) return done.error();
        return report{
            flow_now(tx, row),
            "",
            fmt::format("The draft of {} is v{} again.\n", row.name, version)};
    };
    return on_flow(in, args.flow.name, "restore the version", work);
}

int archive(context const& in, named_flow const& args) {
    return on_flow(in, args.name, "archive the flow", [&](auto& tx, auto const& row) {
        flow::archive(tx, row);
        auto summary = row.name + " starts no new executions; running ones continue.\n";
        if (auto const callers = flow::flows_that_need(tx, row.name); !callers.empty())
            summary += fmt::format(
                "It is needed by {}: that fails from now on where it comes to it. `postrider flows "
                "unarchive {}` brings it back.\n",
                base::joined(callers, ", "),
                row.name
            );
        return report{flow_now(tx, row), "", std::move(summary)};
    });
}

int unarchive(context const& in, named_flow const& args) {
    auto const types = flow::builtin_types();
    auto const work = [&](auto& tx, auto const& row) -> flow::allowed<report> {
        auto const done = flow::unarchive(tx, row, types);
        if (!done) return done.error();
        return report{flow_now(tx, row), "", row.name + " may start again.\n"};
    };
    return on_flow(in, args.name, "take it out of the archive", work);
}

int delete_flow(context const& in, named_flow const& args) {
    auto const work = [&](auto& tx, auto const& row) -> flow::allowed<report> {
        auto const gone = flow::remove(tx, row);
        if (!gone) return gone.error();
        return report{{{"deleted", row.name}}, "", row.name + " is deleted.\n"};
    };
    return on_flow(in, args.name, "delete the flow", work);
}

} // namespace

namespace commands {

extern constinit command const flows_publish{
    .path = "flows publish",
    .summary = "Publish the draft as the next version",
    .example = R"(postrider flows publish support --note "Answer in German")",
    .prepare = with_options<declare_publication, publish>};

extern constinit command const flows_versions{
    .path = "flows versions",
    .summary = "List the published versions of a flow",
    .example = "postrider flows versions support",
    .prepare = with_options<declare_flow, versions>};

extern constinit command const flows_diff{
    .path = "flows diff",
    .summary = "Compare two versions of a flow",
    .example = "postrider flows diff support --from 1 --to 2",
    .prepare = with_options<declare_comparison, diff>};

extern constinit command const flows_restore{
    .path = "flows restore",
    .summary = "Make a version the draft again",
    .example = "postrider flows restore support 1",
    .prepare = with_options<declare_restoration, restore>};

extern constinit command const flows_archive{
    .path = "flows archive",
    .summary = "Archive a flow: nothing starts it any more",
    .example = "postrider flows archive support",
    .prepare = with_options<declare_flow, archive>};

extern constinit command const flows_unarchive{
    .path = "flows unarchive",
    .summary = "Take a flow out of the archive",
    .example = "postrider flows unarchive support",
    .prepare = with_options<declare_flow, unarchive>};

extern constinit command const flows_delete{
    .path = "flows delete",
    .summary = "Delete a flow that nothing needs",
    .example = "postrider flows delete support",
    .prepare = with_options<declare_flow, delete_flow>};

} // namespace commands

} // namespace postrider::cli
