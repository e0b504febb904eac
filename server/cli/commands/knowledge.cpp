// `knowledge list|show|search|remove`: what collections hold.
#include "agent/knowledge/search.hpp"
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/knowledge_work.hpp"
#include "server/cli/listing.hpp"
#include "server/cli/options.hpp"
#include "server/cli/question_vector.hpp"
#include "server/cli/table.hpp"
#include "server/views/knowledge_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <sstream>

namespace postrider::cli {

namespace {

namespace knowledge = agent::knowledge;

void add_collection(option_parser& parser, std::string& name) {
    parser.add_option("COLLECTION", name, "The collection")->required()->check(collection_name());
}

struct knowledge_list_arguments {
    std::optional<std::string> collection;
    std::string state;
    page listed;
};

void declare_knowledge_list(option_parser& parser, knowledge_list_arguments& args) {
    parser.add_option("COLLECTION", args.collection, "List the documents of this one");
    parser.add_option("--state", args.state, "Only documents in this state")
        ->check(word_of({"reading", "ready", "failed"}))
        ->type_name("STATE");
    add_limit(parser, args.listed.limit);
    add_cursor(parser, args.listed.cursor);
}

std::string access_text(knowledge::collection_access const& access) {
    std::string flows = "every flow";
    if (access.flows) flows = fmt::format("{} flows", access.flows->size());
    bool const is_owners = access.people == knowledge::allowed_people::owners;
    return is_owners ? flows + ", owners" : flows;
}

int list_all_collections(context const& in) {
    std::vector<knowledge::stored_collection> collections;
    int const code = in_database(in, "read the collections", [&](storage::transaction& tx) {
        collections = knowledge::list_collections(tx);
    });
    if (code != 0) return code;
    if (in.json) {
        in.out << base::json_text(server::collections_json(collections)) << '\n';
        return 0;
    }
    std::vector<cells> lines;
    for (auto const& collection : collections)
        lines.push_back(
            {collection.name,
             std::to_string(collection.documents),
             std::to_string(collection.parts),
             std::to_string(collection.embedded),
             access_text(collection.access),
             one_line(collection.description, 60)}
        );
    if (lines.empty())
        in.err << "There are no collections.\n";
    else
        in.out << table({"collection", "documents", "parts", "vectors", "for", "holds"}, lines);
    return 0;
}

std::string documents_text(std::vector<knowledge::stored_document> const& documents) {
    std::vector<cells> lines;
    for (auto const& document : documents)
        lines.push_back(
            {std::to_string(document.id),
             one_line(document.name, 50),
             state_text(document),
             std::to_string(document.parts),
             std::to_string(document.embedded),
             std::to_string(document.bytes),
             document.updated_at.substr(0, 16) + "Z"}
        );
    return table({"document", "name", "state", "parts", "vectors", "bytes", "changed"}, lines);
}

int list_documents_of(context const& in, knowledge_list_arguments const& args) {
    knowledge::document_filter filter;
    filter.state = knowledge::document_state_from_string(args.state);
    filter.after = args.listed.cursor;
    filter.limit = args.listed.limit;
    std::optional<std::vector<knowledge::stored_document>> documents;
    int const code = in_database(in, "read the documents", [&](storage::transaction& tx) {
        auto const id = knowledge::collection_id(tx, *args.collection);
        if (id) documents = knowledge::list_documents(tx, *id, filter);
    });
    if (code != 0) return code;
    if (!documents) return no_collection(in, *args.collection);
    if (in.json) {
        in.out << base::json_text(server::documents_json(*documents, filter.limit)) << '\n';
        return 0;
    }
    if (documents->empty())
        in.err << "There are no such documents.\n";
    else
        in.out << documents_text(*documents);
    if (std::ssize(*documents) == filter.limit)
        tell_next_page(in, std::to_string(documents->back().id));
    return 0;
}

int run_knowledge_list(context const& in, knowledge_list_arguments const& args) {
    return args.collection ? list_documents_of(in, args) : list_all_collections(in);
}

struct knowledge_show_arguments {
    std::string collection;
    std::int64_t document = 0;
};

void declare_knowledge_show(option_parser& parser, knowledge_show_arguments& args) {
    add_collection(parser, args.collection);
    parser.add_option("ID", args.document, "The document")->required()->check(id_number());
}

// A blank line is between parts alone.
std::string part_text(knowledge::shown_part const& part) {
    auto text = fmt::format("\n{}", part.number);
    if (part.page) text += fmt::format(", page {}", *part.page);
    if (!part.heading.empty()) text += ": " + printable(part.heading);
    std::istringstream lines(printable(part.text));
    for (std::string line; std::getline(lines, line);)
        if (line.find_first_not_of(" \t\r") != line.npos) text += '\n' + line;
    return text + '\n';
}

void tell_document(
    context const& in,
    knowledge::stored_document const& document,
    std::vector<knowledge::shown_part> const& parts
) {
    in.out << fmt::format("{} ({})\n", printable(document.name), state_text(document));
    if (!document.title.empty()) in.out << "title: " << printable(document.title) << '\n';
    in.out << fmt::format(
        "source: {}\ntype: {}\nmetadata: {}\n",
        printable(document.source),
        printable(document.media_type),
        base::json_text(document.metadata)
    );
    if (document.embedded > 0)
        in.out << fmt::format("vectors: {} of {} parts\n", document.embedded, document.parts);
    for (auto const& part : parts) in.out << part_text(part);
}

int run_knowledge_show(context const& in, knowledge_show_arguments const& args) {
    constexpr int most_parts = 200;
    std::optional<knowledge::stored_document> document;
    std::vector<knowledge::shown_part> parts;
    int const code = in_database(in, "read the document", [&](storage::transaction& tx) {
        auto const id = knowledge::collection_id(tx, args.collection);
        if (id) document = knowledge::find_document(tx, *id, args.document);
        if (document) parts = knowledge::list_parts(tx, args.document, 0, most_parts);
    });
    if (code != 0) return code;
    if (!document) {
        in.err << fmt::format(
            "postrider: the collection {} has no document {}\n", args.collection, args.document
        );
        return 1;
    }
    if (in.json) {
        auto shown = server::document_json(*document);
        shown["shown_parts"] = server::parts_json(parts, most_parts).at("parts");
        in.out << base::json_text(shown) << '\n';
    } else {
        tell_document(in, *document, parts);
    }
    return 0;
}

struct knowledge_search_arguments {
    std::string collection;
    std::string query;
    std::vector<std::string> filter;
    int limit = 5;
};

void declare_knowledge_search(option_parser& parser, knowledge_search_arguments& args) {
    add_collection(parser, args.collection);
    parser.add_option("QUERY", args.query, "A question, or words")->required()->check(some_text());
    parser.add_option("--filter", args.filter, "Only documents with this in their metadata")
        ->type_name("KEY=VALUE");
    parser.add_option("--limit", args.limit, "The most results")
        ->check(in_range(1, knowledge::most_results))
        ->capture_default_str();
}

std::string results_text(std::vector<knowledge::part_result> const& results) {
    std::string text;
    for (auto const& result : results) {
        if (!text.empty()) text += '\n';
        text += fmt::format(
            "{:.2f} [{}] {}\n{}\n",
            result.score,
            printable(knowledge::citation_of(result)),
            printable(result.heading),
            printable(result.text)
        );
    }
    return text;
}

std::string nothing_text(std::int64_t parts, bool has_filter) {
    if (parts == 0) return "The collection has nothing to search: none of its documents is ready.";
    return fmt::format(
        "No document{} says anything of this.", has_filter ? " with this metadata" : ""
    );
}

int run_knowledge_search(context const& in, knowledge_search_arguments const& args) {
    auto filter = metadata_from(args.filter);
    if (!filter) return usage(in, filter.error().detail);
    knowledge::part_question question;
    question.text = args.query;
    question.filter = std::move(*filter);
    question.most = args.limit;
    auto const vector = vector_of_question(in, "collection:" + args.collection, args.query);
    bool const is_degraded = !vector;
    if (vector) question.vector = *vector;
    std::optional<std::vector<knowledge::part_result>> results;
    std::int64_t parts = 0;
    int const code = in_database(in, "search the collection", [&](storage::transaction& tx) {
        auto const id = knowledge::collection_id(tx, args.collection);
        if (!id) return;
        question.collection = *id;
        results = knowledge::search_parts(tx, question);
        if (results->empty()) parts = knowledge::find_collection(tx, args.collection)->parts;
    });
    if (code != 0) return code;
    if (!results) return no_collection(in, args.collection);
    if (is_degraded)
        in.err << fmt::format(
            "{} The words alone were searched.\n", knowledge::sentence_of(vector.error())
        );
    if (in.json)
        in.out << base::json_text(server::results_json(*results, is_degraded)) << '\n';
    else if (results->empty())
        in.err << nothing_text(parts, !question.filter.empty()) << '\n';
    else
        in.out << results_text(*results);
    return 0;
}

struct knowledge_remove_arguments {
    std::string collection;
    std::vector<std::int64_t> documents;
    bool all = false;
};

void declare_knowledge_remove(option_parser& parser, knowledge_remove_arguments& args) {
    add_collection(parser, args.collection);
    auto* const documents = parser.add_option("ID", args.documents, "The documents");
    documents->check(id_number());
    parser.add_flag("--all", args.all, "Remove the collection with all its documents")
        ->excludes(documents);
}

// The rest of many parts, piece by piece. A server's maintenance does it, too.
int sweep_removed(context const& in) {
    std::int64_t swept = 1;
    int code = 0;
    while (swept > 0 && code == 0)
        code = in_database(in, "delete the parts", [&](storage::transaction& tx) {
            swept = knowledge::sweep_removed(tx);
        });
    return code;
}

int remove_whole(context const& in, std::string const& name) {
    std::optional<std::int64_t> documents;
    int const code = in_database(in, "remove the collection", [&](storage::transaction& tx) {
        documents = knowledge::remove_collection(tx, name);
    });
    if (code != 0) return code;
    if (!documents) return no_collection(in, name);
    if (int const left = sweep_removed(in); left != 0) return left;
    if (in.json)
        in.out << base::json_text(boost::json::object{
                      {"collection", name}, {"documents", *documents}})
               << '\n';
    else
        in.err << fmt::format(
            "The collection {} is removed, with its documents: {}.\n", name, *documents
        );
    return 0;
}

int run_knowledge_remove(context const& in, knowledge_remove_arguments const& args) {
    if (args.all) return remove_whole(in, args.collection);
    if (args.documents.empty()) return usage(in, "which documents? Or --all");
    std::vector<std::int64_t> removed, unknown;
    int const code = in_database(in, "remove the documents", [&](storage::transaction& tx) {
        removed.clear();
        unknown.clear();
        auto const id = knowledge::collection_id(tx, args.collection);
        for (auto const document : args.documents) {
            bool const is_there = id && knowledge::find_document(tx, *id, document) &&
                                  knowledge::remove_document(tx, document);
            (is_there ? removed : unknown).push_back(document);
        }
    });
    if (code != 0) return code;
    if (int const left = sweep_removed(in); left != 0) return left;
    if (in.json)
        in.out << base::json_text(boost::json::object{
                      {"removed", boost::json::array(removed.begin(), removed.end())},
                      {"unknown", boost::json::array(unknown.begin(), unknown.end())}})
               << '\n';
    else
        for (auto const document : removed)
            in.err << fmt::format("Document {} is removed.\n", document);
    for (auto const document : unknown)
        in.err << fmt::format(
            "postrider: the collection {} has no document {}\n", args.collection, document
        );
    return unknown.empty() ? 0 : 1;
}

} // namespace

namespace commands {

extern constinit command const knowledge_list{
    .path = "knowledge list",
    .summary = "List collections, or the documents of one",
    .example = "postrider knowledge list handbook",
    .prepare = with_options<declare_knowledge_list, run_knowledge_list>};

extern constinit command const knowledge_show{
    .path = "knowledge show",
    .summary = "Show a document with its parts",
    .example = "postrider knowledge show handbook 12",
    .prepare = with_options<declare_knowledge_show, run_knowledge_show>};

extern constinit command const knowledge_search{
    .path = "knowledge search",
    .summary = "Search a collection as flows and agents do",
    .example = "postrider knowledge search handbook \"How many days of leave?\"",
    .prepare = with_options<declare_knowledge_search, run_knowledge_search>};

extern constinit command const knowledge_remove{
    .path = "knowledge remove",
    .summary = "Remove documents, or a whole collection",
    .example = "postrider knowledge remove handbook 12",
    .prepare = with_options<declare_knowledge_remove, run_knowledge_remove>};

} // namespace commands

} // namespace postrider::cli
