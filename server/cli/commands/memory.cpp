// `memory list|show|forget|export`: what agents remember for long.
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/listing.hpp"
#include "server/cli/options.hpp"
#include "server/cli/table.hpp"
#include "server/views/memory_json.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

namespace recall = agent::recall;

struct memory_choice {
    std::int64_t user = 0;
    std::int64_t chat = 0;
    std::string kind;
};

void add_memory_choice(option_parser& parser, memory_choice& choice) {
    parser.add_option("--user", choice.user, "Only of this person, by the Telegram id")
        ->check(id_number())
        ->type_name("ID");
    parser.add_option("--chat", choice.chat, "Only of this group, by its id")->type_name("ID");
    parser.add_option("--kind", choice.kind, "Only of this kind: note, fact or summary")
        ->check(word_of({"note", "fact", "summary"}))
        ->type_name("KIND");
}

recall::memory_filter memory_filter_of(memory_choice const& choice) {
    recall::memory_filter filter;
    if (choice.user != 0) filter.user = user_id{choice.user};
    if (choice.chat != 0) filter.chat = chat_id{choice.chat};
    filter.kind = recall::memory_kind_from_string(choice.kind);
    return filter;
}

struct memory_list_arguments {
    memory_choice choice;
    page listed;
};

void declare_memory_list(option_parser& parser, memory_list_arguments& args) {
    add_memory_choice(parser, args.choice);
    add_limit(parser, args.listed.limit);
    add_cursor(parser, args.listed.cursor);
}

std::string owner_text(recall::memory_owner const& owner) {
    if (owner.chat != chat_id{}) return "group " + base::to_string(owner.chat);
    return "user " + base::to_string(owner.user);
}

std::string memories_text(std::vector<recall::shown_memory> const& memories) {
    std::vector<cells> lines;
    for (auto const& shown : memories) {
        auto const& memory = shown.memory;
        lines.push_back(
            {std::to_string(memory.id),
             std::string(recall::to_string(memory.kind)),
             owner_text(memory.owner),
             memory.created_at.substr(0, 16) + "Z",
             one_line(memory.text, 80)}
        );
    }
    return table({"memory", "kind", "of", "created", "text"}, lines);
}

int run_memory_list(context const& in, memory_list_arguments const& args) {
    auto filter = memory_filter_of(args.choice);
    filter.below = args.listed.cursor;
    filter.limit = args.listed.limit;
    std::vector<recall::shown_memory> memories;
    int const code = in_database(in, "read the memories", [&](storage::transaction& tx) {
        memories = recall::list_memories(tx, filter);
    });
    if (code != 0) return code;
    if (in.json) {
        in.out << base::json_text(server::memories_json(memories, filter.limit)) << '\n';
        return 0;
    }
    if (memories.empty()) {
        in.err << "Nothing is remembered.\n";
        return 0;
    }
    in.out << memories_text(memories);
    if (std::ssize(memories) >= filter.limit)
        tell_next_page(in, std::to_string(memories.back().memory.id));
    return 0;
}

struct memory_arguments {
    std::int64_t memory = 0;
};

void declare_memory(option_parser& parser, memory_arguments& args) {
    parser.add_option("ID", args.memory, "The memory")->required()->check(id_number());
}

int no_memory(context const& in, std::int64_t memory) {
    in.err << fmt::format("postrider: there is no memory {}\n", memory);
    return 1;
}

void tell_memory(context const& in, recall::shown_memory const& shown) {
    auto const& memory = shown.memory;
    in.out << printable(memory.text) << '\n';
    in.out << fmt::format(
        "\n{} of {}, created {}Z{}\n",
        recall::to_string(memory.kind),
        owner_text(memory.owner),
        memory.created_at.substr(0, 16),
        memory.expires_at ? ", until " + memory.expires_at->substr(0, 16) + "Z" : ""
    );
    for (auto const& source : shown.sources)
        in.out << fmt::format(
            "from job {}: {}\n",
            base::raw(source.place.job),
            source.text ? one_line(*source.text, 120) : "(a deleted message)"
        );
}

int run_memory_show(context const& in, memory_arguments const& args) {
    std::optional<recall::shown_memory> shown;
    int const code = in_database(in, "read the memory", [&](storage::transaction& tx) {
        shown = recall::find_memory(tx, args.memory);
    });
    if (code != 0) return code;
    if (!shown) return no_memory(in, args.memory);
    if (in.json)
        in.out << base::json_text(server::whole_memory_json(*shown)) << '\n';
    else
        tell_memory(in, *shown);
    return 0;
}

int run_memory_forget(context const& in, memory_arguments const& args) {
    bool was_there = false;
    int const code = in_database(in, "forget the memory", [&](storage::transaction& tx) {
        was_there = recall::forget_memory(tx, args.memory);
    });
    if (code != 0) return code;
    if (!was_there) return no_memory(in, args.memory);
    if (in.json)
        in.out << base::json_text(boost::json::object{{"memory_id", args.memory}}) << '\n';
    else
        in.err << fmt::format("Memory {} is forgotten.\n", args.memory);
    return 0;
}

void declare_memory_export(option_parser& parser, memory_choice& choice) {
    add_memory_choice(parser, choice);
}

// A page in each transaction, so that nobody waits for a long export.
int run_memory_export(context const& in, memory_choice const& choice) {
    auto filter = memory_filter_of(choice);
    filter.limit = 500;
    for (;;) {
        std::vector<recall::shown_memory> memories;
        int const code = in_database(in, "read the memories", [&](storage::transaction& tx) {
            memories = recall::list_memories(tx, filter);
        });
        if (code != 0) return code;
        for (auto const& shown : memories)
            in.out << base::json_text(server::whole_memory_json(shown)) << '\n';
        if (std::ssize(memories) < filter.limit) return 0;
        filter.below = memories.back().memory.id;
    }
}

} // namespace

namespace commands {

extern constinit command const memory_list{
    .path = "memory list",
    .summary = "List what agents remember, newest first",
    .example = "postrider memory list --user 923847",
    .prepare = with_options<declare_memory_list, run_memory_list>};

extern constinit command const memory_show{
    .path = "memory show",
    .summary = "Show a memory with the messages that it comes from",
    .example = "postrider memory show 12",
    .prepare = with_options<declare_memory, run_memory_show>};

extern constinit command const memory_forget{
    .path = "memory forget",
    .summary = "Delete a memory",
    .example = "postrider memory forget 12",
    .prepare = with_options<declare_memory, run_memory_forget>};

extern constinit command const memory_export{
    .path = "memory export",
    .summary = "Print memories as JSON, one in each line",
    .example = "postrider memory export --user 923847 > memories.jsonl",
    .prepare = with_options<declare_memory_export, run_memory_export>};

} // namespace commands

} // namespace postrider::cli
