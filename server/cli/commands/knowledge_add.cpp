// `knowledge add`: files, folders and addresses become documents of a collection. It tells how far they are read,
// until all are or have failed, or no server runs that reads them.
#include "base/clock.hpp"
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/knowledge_work.hpp"
#include "server/cli/reading_progress.hpp"
#include "server/cli/table.hpp"
#include "server/views/document_waits.hpp"
#include "server/views/knowledge_adding.hpp"
#include "server/views/knowledge_json.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <set>
#include <thread>

namespace postrider::cli {

namespace {

namespace files = std::filesystem;
namespace knowledge = agent::knowledge;

struct knowledge_add_arguments {
    std::string collection = "documents";
    std::vector<std::string> metadata;
    std::vector<std::string> sources;
    bool no_wait = false;
};

void declare_knowledge_add(option_parser& parser, knowledge_add_arguments& args) {
    parser.add_option("SOURCE", args.sources, "Files, folders and addresses (https://…)")
        ->required();
    parser.add_option("--collection", args.collection, "The collection, made where there is none")
        ->check(collection_name())
        ->type_name("NAME")
        ->capture_default_str();
    parser.add_option("--metadata", args.metadata, "A member of the documents' metadata")
        ->type_name("KEY=VALUE");
    parser.add_flag("--no-wait", args.no_wait, "Do not wait until they are read");
}

bool is_address(std::string_view source) {
    return source.starts_with("http://") || source.starts_with("https://");
}

// Where it is, and its name in the collection.
struct source_file {
    std::string path;
    std::string name;
};

bool is_hidden(files::path const& path) {
    return path.filename().string().starts_with('.');
}

// The files of a folder, with their paths within it as names; hidden ones are left out.
std::vector<source_file> files_of_folder(files::path const& folder) {
    std::vector<source_file> found;
    std::error_code failure;
    files::recursive_directory_iterator entry(
        folder, files::directory_options::skip_permission_denied, failure
    );
    for (files::recursive_directory_iterator const end; !failure && entry != end;
         entry.increment(failure)) {
        if (is_hidden(entry->path())) {
            if (entry->is_directory(failure)) entry.disable_recursion_pending();
            continue;
        }
        if (!entry->is_regular_file(failure)) continue;
        found.push_back(
            {entry->path().string(), entry->path().lexically_relative(folder).generic_string()}
        );
    }
    std::ranges::sort(found, {}, &source_file::name);
    return found;
}

base::result<std::string> read_bytes(std::string const& path) {
    std::error_code failure;
    auto const size = files::file_size(path, failure);
    std::ifstream file(path, std::ios::binary);
    if (failure || !file) return base::error(base::errc::not_found, "cannot read " + path);
    if (size == 0) return base::error(base::errc::invalid, path + " is empty");
    if (size > knowledge::most_document_bytes)
        return base::error(
            base::errc::too_large,
            fmt::format("{} has more than {} MiB", path, knowledge::most_document_bytes >> 20)
        );
    std::string bytes(static_cast<std::size_t>(size), '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

// What one call of the command adds. Blocking.
class adding {
public:
    adding(context const& in, knowledge_add_arguments const& args, boost::json::object metadata)
        : in_(in),
          args_(args),
          metadata_(std::move(metadata)) {}

    // The exit code: 0 all were added.
    int run() {
        for (auto const& source : args_.sources) {
            if (is_address(source))
                add_address(source);
            else if (std::error_code failure; files::is_directory(source, failure))
                add_folder(source);
            else
                add_file({source, files::path(source).filename().string()});
            if (code_ != 0) return code_;
        }
        if (!args_.no_wait) wait();
        if (code_ == 0) report();
        return code_ == 0 && failures_ > 0 ? 1 : code_;
    }

private:
    void tell_failure(std::string_view reason) {
        ++failures_;
        in_.err << fmt::format("postrider: {}\n", reason);
    }

    void add_folder(std::string const& folder) {
        auto const all_files = files_of_folder(folder);
        if (all_files.empty()) tell_failure(folder + " has no files that can be read");
        for (auto const& file : all_files) add_file(file);
    }

    void add_file(source_file const& file) {
        if (code_ != 0) return;
        auto bytes = read_bytes(file.path);
        if (!bytes) return tell_failure(bytes.error().detail);
        knowledge::new_document document;
        document.name = file.name;
        document.bytes = std::move(*bytes);
        if (auto const problem = server::problem_of_document_name(file.name); !problem.empty())
            return tell_failure(file.path + ": " + problem);
        add(std::move(document));
    }

    void add_address(std::string const& url) {
        if (auto const problem = server::problem_of_address(url); !problem.empty())
            return tell_failure(url + ": " + problem);
        knowledge::new_document document;
        document.name = document.url = url;
        add(std::move(document));
    }

    void add(knowledge::new_document document) {
        document.metadata = metadata_;
        knowledge::added_document added;
        bool is_new = false;
        code_ = in_database(in_, "add the document", [&](storage::transaction& tx) {
            is_new = !knowledge::collection_id(tx, args_.collection);
            collection_ = knowledge::find_or_create_collection(tx, args_.collection);
            document.collection = collection_;
            added = knowledge::add_document(tx, document).value();
        });
        if (code_ != 0) return;
        // Its name may be misspelt.
        if (is_new) in_.err << fmt::format("The collection {} is new.\n", args_.collection);
        added_.insert(added.id);
        progress_.watch(added.id, document.name);
        in_.err << fmt::format(
            "{}: {}\n", printable(document.name), added.unchanged ? "unchanged" : "added"
        );
    }

    // Until all are read, or no server runs that reads them.
    void wait() {
        constexpr std::chrono::milliseconds pause{500};
        while (code_ == 0) {
            auto const look = look_again();
            if (code_ != 0) return;
            for (auto const& line : progress_.take(look)) in_.err << line << '\n';
            if (progress_.is_over()) break;
            std::this_thread::sleep_for(pause);
        }
        failures_ += progress_.failures();
        if (!progress_.is_without_server()) return;
        tell_failure(fmt::format(
            "no server runs, so nothing is read yet. `postrider serve` starts one, and it reads "
            "what was added: "
            "`postrider knowledge list {}` shows how far it is",
            args_.collection
        ));
    }

    reading_look look_again() {
        reading_look look;
        code_ = in_database(in_, "read the documents", [&](storage::transaction& tx) {
            look = {};
            for (auto const id : added_) {
                auto document = knowledge::find_document(tx, collection_, id);
                if (!document) continue;
                auto reason = server::waiting_reason(tx, document->job);
                look.documents[id] = {std::move(*document), std::move(reason)};
            }
            look.server_runs = server::some_server_runs(tx);
        });
        look.at = base::system_clock().steady();
        return look;
    }

    void report() {
        if (!in_.json) return;
        boost::json::array documents;
        for (auto const& [id, seen] : look_again().documents)
            documents.push_back(server::document_json(seen.document));
        in_.out << base::json_text(boost::json::object{{"documents", std::move(documents)}})
                << '\n';
    }

    context const& in_;
    knowledge_add_arguments const& args_;
    boost::json::object metadata_;
    std::int64_t collection_ = 0;
    std::set<std::int64_t> added_ = {};
    reading_progress progress_ = {};
    int failures_ = 0;
    int code_ = 0;
};

int run_knowledge_add(context const& in, knowledge_add_arguments const& args) {
    auto metadata = metadata_from(args.metadata);
    if (!metadata) return usage(in, metadata.error().detail);
    return adding(in, args, std::move(*metadata)).run();
}

} // namespace

namespace commands {

extern constinit command const knowledge_add{
    .path = "knowledge add",
    .summary = "Add files, folders and addresses to a collection",
    .example = "postrider knowledge add --collection handbook handbook.pdf notes/",
    .prepare = with_options<declare_knowledge_add, run_knowledge_add>};

} // namespace commands

} // namespace postrider::cli
