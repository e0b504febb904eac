// `knowledge create|set|reembed`: collections, who may search them, and their vectors.
#include "agent/knowledge/ingest_job.hpp"
#include "agent/knowledge/part_vectors.hpp"
#include "agent/models/embedding/embedder.hpp"
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/knowledge_work.hpp"
#include "server/cli/options.hpp"
#include "server/cli/table.hpp"
#include "server/start/config.hpp"
#include "server/views/knowledge_json.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

namespace knowledge = agent::knowledge;

struct collection_arguments {
    std::string name;
    std::optional<std::string> description;
    std::vector<std::string> flows;
    bool every_flow = false;
    std::string people;
};

void declare_collection(option_parser& parser, collection_arguments& args) {
    parser.add_option("NAME", args.name, "The collection")->required()->check(collection_name());
    parser.add_option("--description", args.description, "What it holds")->type_name("TEXT");
    auto* const flows = parser.add_option("--flow", args.flows, "Only these flows may search it");
    flows->type_name("NAME");
    parser.add_flag("--every-flow", args.every_flow, "Every flow may search it")->excludes(flows);
    parser.add_option("--people", args.people, "Whose questions may search it: owners, or allowed")
        ->check(word_of({"owners", "allowed"}))
        ->type_name("WHO");
}

void apply(collection_arguments const& args, knowledge::new_collection& collection) {
    if (args.description) collection.description = *args.description;
    auto& access = collection.access;
    if (args.every_flow) access.flows.reset();
    if (!args.flows.empty()) access.flows = args.flows;
    if (auto const people = knowledge::allowed_people_from_string(args.people))
        access.people = *people;
}

constexpr storage::statement flows_not_there{"knowledge.flows_not_there", R"(
select n.name from json_array_elements_text($1::json) with ordinality n(name, place)
where not exists (select from postrider.flow f where f.name = n.name and f.archived_at is null) order by n.place)"};

// A flow may be made later: that is no mistake, but a name may be misspelt.
void warn_of_flows(context const& in, std::vector<std::string> const& unknown) {
    for (auto const& name : unknown)
        in.err << fmt::format(
            "postrider: there is no flow {} yet. It may search the collection once it exists.\n",
            printable(name)
        );
}

// Of those that were named, the ones that are not there.
std::vector<std::string> absent_flows(
    storage::transaction& tx, std::vector<std::string> const& names
) {
    std::vector<std::string> absent;
    auto const list = base::json_text(boost::json::array(names.begin(), names.end()));
    for (auto const& row : tx.query(flows_not_there, {list})) absent.push_back(row.text(0));
    return absent;
}

int tell_collection(
    context const& in, std::optional<knowledge::stored_collection> const& collection
) {
    if (in.json)
        in.out << base::json_text(server::collection_json(*collection)) << '\n';
    else
        in.err << fmt::format("The collection {} is there.\n", collection->name);
    return 0;
}

int run_knowledge_create(context const& in, collection_arguments const& args) {
    knowledge::new_collection collection;
    collection.name = args.name;
    apply(args, collection);
    bool is_new = false;
    std::vector<std::string> absent;
    std::optional<knowledge::stored_collection> stored;
    int const code = in_database(in, "create the collection", [&](storage::transaction& tx) {
        is_new = knowledge::create_collection(tx, collection).has_value();
        absent = absent_flows(tx, args.flows);
        stored = knowledge::find_collection(tx, args.name);
    });
    if (code != 0) return code;
    if (is_new) {
        warn_of_flows(in, absent);
        return tell_collection(in, stored);
    }
    in.err << fmt::format("postrider: there is a collection {} already\n", args.name);
    return 1;
}

int run_knowledge_set(context const& in, collection_arguments const& args) {
    std::optional<knowledge::stored_collection> stored;
    std::vector<std::string> absent;
    int const code = in_database(in, "change the collection", [&](storage::transaction& tx) {
        stored = knowledge::find_collection(tx, args.name);
        if (!stored) return;
        knowledge::new_collection collection{args.name, stored->description, stored->access};
        apply(args, collection);
        knowledge::change_collection(tx, collection);
        stored = knowledge::find_collection(tx, args.name);
        absent = absent_flows(tx, args.flows);
    });
    if (code != 0) return code;
    if (!stored) return no_collection(in, args.name);
    warn_of_flows(in, absent);
    return tell_collection(in, stored);
}

int run_knowledge_reembed(context const& in) {
    constexpr std::string_view doing = "make the vectors";
    if (!in.configured.values.embeddings)
        return fail(
            in,
            doing,
            base::error(base::errc::refused, "the configuration has no [embeddings.default]")
        );
    auto const model = agent::name_of(*in.configured.values.embeddings);
    knowledge::part_embedding job;
    int const code = in_database(in, doing, [&](storage::transaction& tx) {
        knowledge::forget_refused_parts(tx);
        job = knowledge::embed_parts_now(tx, model);
    });
    if (code != 0) return code;
    if (in.json) {
        in.out << base::json_text(boost::json::object{
                      {"job_id", base::raw(job.job)}, {"created", job.created}})
               << '\n';
        return 0;
    }
    in.out << base::raw(job.job) << '\n';
    in.err << fmt::format(
        "{} A running server does it; postrider jobs show {} shows its batches.\n",
        job.created ? "The job is there." : "A job is at it already.",
        base::raw(job.job)
    );
    return 0;
}

} // namespace

namespace commands {

extern constinit command const knowledge_create{
    .path = "knowledge create",
    .summary = "Make a collection",
    .example = "postrider knowledge create handbook --flow support --people owners",
    .prepare = with_options<declare_collection, run_knowledge_create>};

extern constinit command const knowledge_set{
    .path = "knowledge set",
    .summary = "Change who may search a collection, or its description",
    .example = "postrider knowledge set handbook --every-flow",
    .prepare = with_options<declare_collection, run_knowledge_set>};

extern constinit command const knowledge_reembed{
    .path = "knowledge reembed",
    .summary = "Make vectors of all parts of documents that have none",
    .example = "postrider knowledge reembed",
    .prepare = without_options<run_knowledge_reembed>};

} // namespace commands

} // namespace postrider::cli
