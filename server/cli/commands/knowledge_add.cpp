// `knowledge add`: files, folders and addresses become documents of a collection. It tells how far they are read,
// until all are.
#include "base/clock.hpp"
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/knowledge_work.hpp"
#include "server/cli/table.hpp"
#include "server/views/knowledge_adding.hpp"
#include "server/views/knowledge_json.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
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
                for (auto const& file : files_of_folder(source)) add_file(file);
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
        code_ = in_database(in_, "add the document", [&](storage::transaction& tx) {
            collection_ = knowledge::find_or_create_collection(tx, args_.collection);
            document.collection = collection_;
            added = knowledge::add_document(tx, document).value();
        });
        if (code_ != 0) return;
        waiting_.insert(added.id);
        all_.insert(added.id);
        in_.err << fmt::format(
            "{}: {}\n", printable(document.name), added.unchanged ? "unchanged" : "added"
        );
    }

    // Until all are read, or nothing has happened for so long that no server seems to run.
    void wait() {
        constexpr std::chrono::seconds longest_silence{60};
        constexpr std::chrono::milliseconds pause{500};
        auto const& clock = base::system_clock();
        auto last_news = clock.steady();
        while (code_ == 0 && !waiting_.empty()) {
            if (look()) last_news = clock.steady();
            if (waiting_.empty()) return;
            if (clock.steady() - last_news > longest_silence) {
                in_.err << "Nothing is being read: a running server does it.\n";
                return;
            }
            std::this_thread::sleep_for(pause);
        }
    }

    // Whether something has changed.
    bool look() {
        bool has_news = false;
        code_ = in_database(in_, "read the documents", [&](storage::transaction& tx) {
            for (auto const id : all_)
                if (auto document = knowledge::find_document(tx, collection_, id))
                    seen_[id] = std::move(*document);
        });
        for (auto const& [id, document] : seen_) {
            auto const text = state_text(document);
            if (!waiting_.contains(id) || std::exchange(told_[id], text) == text) continue;
            has_news = true;
            in_.err << fmt::format("{}: {}\n", printable(document.name), text);
            bool const is_failed = document.state == knowledge::document_state::failed;
            if (is_failed) ++failures_;
            if (is_failed || document.state == knowledge::document_state::ready) waiting_.erase(id);
        }
        return has_news;
    }

    void report() {
        if (!in_.json) return;
        if (args_.no_wait) (void)look();
        boost::json::array documents;
        for (auto const& [id, document] : seen_)
            documents.push_back(server::document_json(document));
        in_.out << base::json_text(boost::json::object{{"documents", std::move(documents)}})
                << '\n';
    }

    context const& in_;
    knowledge_add_arguments const& args_;
    boost::json::object metadata_;
    std::int64_t collection_ = 0;
    std::set<std::int64_t> all_ = {};
    std::set<std::int64_t> waiting_ = {}; // of them, those that are not read yet
    std::map<std::int64_t, knowledge::stored_document> seen_ = {};
    std::map<std::int64_t, std::string> told_ = {};
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
