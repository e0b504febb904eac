#include "tests/unit/agent/turn_world.hpp"

#include "agent/loop/prompt.hpp"
#include "base/json/json.hpp"
#include "tests/support/paths.hpp"

#include <boost/json/serialize.hpp>

#include <fstream>
#include <sstream>

namespace postrider::tests {

namespace json = boost::json;

namespace {

json::object parsed(std::string const& text) {
    return base::parse_json(text).value().get_object();
}

std::int64_t number(json::object const& row, std::string_view name) {
    return row.at(name).to_number<std::int64_t>();
}

std::optional<std::string> text(json::object const& row, std::string_view name) {
    auto member = row.if_contains(name);
    if (!member || member->is_null()) return std::nullopt;
    if (member->is_string()) return std::string(member->get_string());
    return json::serialize(*member);
}

// Of every query of messages.
std::vector<std::optional<std::string>> columns_of(json::object const& row) {
    std::vector<std::optional<std::string>> columns{"0"};
    for (auto const* name :
         {"job_id", "position", "role", "content", "detail", "sender_id", "timezone", "language"})
        columns.push_back(text(row, name));
    return columns;
}

} // namespace

// As the history tells of memories beside the turn's own first message.
std::optional<std::string> message_table::outlook_for(
    json::object const& row, json::object const& asked
) const {
    bool const is_asked = asked.contains("look_older") && number(row, "position") == 0 &&
                          number(row, "job_id") == number(asked, "job_id");
    if (!is_asked) return std::nullopt;
    bool const has_memories = !memories.empty() || recall_failure || lacks_vectors;
    return json::serialize(json::array{
        has_memories, lacks_vectors, 0, -1, false, older_count, older_bytes});
}

void message_table::add(json::object row) {
    for (auto const& there : rows) {
        bool const same = number(there, "job_id") == number(row, "job_id") &&
                          number(there, "position") == number(row, "position");
        if (same || there.at("id") == row.at("id"))
            throw std::logic_error("a message is stored twice: " + json::serialize(row));
    }
    rows.push_back(std::move(row));
}

std::vector<json::object> message_table::in_order() const {
    auto sorted = rows;
    std::ranges::sort(sorted, [](auto const& a, auto const& b) {
        return std::pair{number(a, "job_id"), number(a, "position")} <
               std::pair{number(b, "job_id"), number(b, "position")};
    });
    return sorted;
}

void message_table::apply(std::vector<storage::write> const& writes) {
    for (auto const& write : writes) {
        auto row = parsed(write.row);
        if (write.statement->name.starts_with("add_message")) add(row);
        if (write.statement->name == "keep_tool_catalog") {
            ++catalogs_sent;
            catalogs[std::string(row.at("digest").as_string())] =
                boost::json::serialize(row.at("tools"));
        }
        if (write.statement->name == "add_to_session") sessions.push_back(row);
        if (write.statement->name == "trim_session") trim(row);
        if (write.statement->name == "clear_session")
            std::erase_if(sessions, [&](auto const& there) {
                return there.at("session") == row.at("session");
            });
        if (write.statement->name == "clear_conversation")
            std::erase_if(rows, [&](auto const& there) {
                return number(there, "job_id") < number(row, "job_id");
            });
        if (write.statement->name != "set_delivery") continue;
        for (auto& there : rows) {
            if (number(there, "job_id") != number(row, "job_id") ||
                number(there, "position") != number(row, "position"))
                continue;
            there["delivery"] = row.at("delivery");
            if (auto id = row.if_contains("telegram_message_id"))
                there["telegram_message_id"] = *id;
        }
    }
}

void message_table::trim(json::object const& asked) {
    auto const is_earlier = [&](json::object const& row) {
        return row.at("session") == asked.at("session") &&
               number(row, "job_id") != number(asked, "but_for");
    };
    auto excess = std::ranges::count_if(sessions, is_earlier) - number(asked, "newest");
    std::erase_if(sessions, [&](auto const& row) { return is_earlier(row) && excess-- > 0; });
}

storage::rows message_table::of_session(json::object const& asked) const {
    storage::rows answer_rows;
    for (auto const& row : sessions) {
        if (row.at("session") != asked.at("session")) continue;
        if (number(row, "job_id") == number(asked, "but_for")) continue;
        answer_rows.push_back(storage::row{columns_of(row)});
    }
    return answer_rows;
}

base::awaitable<base::result<void>> message_table::commit(
    std::shared_ptr<storage::unit> unit, base::duration /*deadline*/
) {
    auto const question = unit->stage(0, {}).front();
    auto const name = question.statement->name;
    bool const looks_at_memories = name == "recall_memories" || name == "newest_memories" ||
                                   name == "measure_older_messages" ||
                                   name == "owner_lacks_vectors";
    if (looks_at_memories) ++memory_reads;
    if (name == "recall_memories" || name == "newest_memories") { // a turn goes on without it
        recalls.push_back(parsed(question.row));
        if (recall_failure) co_return *recall_failure;
        unit->stage(1, {memories});
        co_return base::result<void>{};
    }
    if (name == "measure_older_messages") {
        storage::row const amount{{"0", std::to_string(older_count), std::to_string(older_bytes)}};
        unit->stage(1, {storage::rows{amount}});
        co_return base::result<void>{};
    }
    if (name == "read_bare_memories" || name == "read_other_vectors") {
        bare_asked.push_back(parsed(question.row));
        storage::rows next_rows;
        if (!bare.empty()) next_rows = std::move(bare.front());
        if (!bare.empty()) bare.pop_front();
        unit->stage(1, {next_rows});
        co_return base::result<void>{};
    }
    if (name == "owner_lacks_vectors") {
        storage::rows next_rows;
        if (lacks_vectors) next_rows.push_back(storage::row{{"0"}});
        unit->stage(1, {next_rows});
        co_return base::result<void>{};
    }
    if (name == "read_refusals") {
        storage::row const state{{"0", std::to_string(refusals)}};
        unit->stage(1, {storage::rows{state}});
        co_return base::result<void>{};
    }
    if (name == "summaries_pause") {
        storage::rows pauses;
        if (summaries_pause) pauses.push_back(storage::row{{"0"}});
        unit->stage(1, {pauses});
        co_return base::result<void>{};
    }
    if (name == "read_older_messages") {
        older_asked = parsed(question.row);
        unit->stage(1, {std::exchange(older, {})}); // once
        co_return base::result<void>{};
    }
    ++reads;
    if (!failures.empty()) {
        auto failure = failures.front();
        failures.pop_front();
        co_return failure;
    }
    auto const answers = answers_to(question);
    if (!answers) co_return answers.error();
    unit->stage(1, *answers);
    co_return base::result<void>{};
}

base::result<std::vector<storage::rows>> message_table::answers_to(storage::write const& question) {
    auto const name = question.statement->name;
    auto const asked = parsed(question.row);
    using answer = std::vector<storage::rows>;
    storage::rows answer_rows;
    if (others)
        if (auto rows_of_others = others(question)) return answer{std::move(*rows_of_others)};
    if (name == "read_attempts") return answer{attempts, {}};
    if (name == "coalesced_messages") return answer{coalesced};
    if (name == "coalesced_arrivals") return answer{arrivals};
    if (name == "claimed_items") return answer{claimed(asked)};
    if (name == "unseen_items") return answer{unseen(asked)};
    if (name == "read_session" && sessions_away) return base::error(base::errc::unavailable);
    if (name == "read_session") return answer{of_session(asked)};
    if (name == "look_for_bot") {
        auto const bot = bots.find(std::string(asked.at("name").as_string()));
        if (bot != bots.end())
            answer_rows.emplace_back(storage::row{{"0", base::to_string(bot->second)}});
        return answer{answer_rows};
    }
    if (name == "undone_since") {
        if (undone) answer_rows.emplace_back(storage::row{{"0", std::nullopt, std::nullopt}});
        if (undoing) answer_rows.emplace_back(storage::row{{"0", base::to_string(*undoing), "f"}});
        return answer{answer_rows};
    }
    if (name == "mcp_pins") {
        // "agreed", or "agreed/waiting".
        for (auto const& [tool, digests] : mcp_pins) {
            auto const end = std::min(digests.find('/'), digests.size());
            auto const waiting = digests.substr(std::min(end + 1, digests.size()));
            answer_rows.push_back(storage::row{{"0", tool, digests.substr(0, end), waiting}});
        }
        return answer{answer_rows};
    }
    if (name.starts_with("tool_catalog")) { // its list, or that it is kept
        auto const catalog = catalogs.find(std::string(asked.at("digest").as_string()));
        if (catalog != catalogs.end()) answer_rows.push_back(storage::row{{"0", catalog->second}});
        return answer{answer_rows};
    }
    newest = number(asked, "newest");
    for (auto const& row : in_order())
        if (number(row, "job_id") <= number(asked, "job_id")) {
            auto columns = columns_of(row);
            columns.push_back(outlook_for(row, asked));
            answer_rows.push_back(storage::row{columns});
        }
    return answer{answer_rows};
}

base::awaitable<base::result<agent::chat_reply>> scripted_model::chat(agent::chat_request request) {
    requests.push_back(std::move(request));
    if (accepts) requests.back().accepted();
    if (while_asked) while_asked();
    if (script.empty()) co_return base::error(base::errc::internal, "the script has ended");
    auto next = script.front();
    script.pop_front();
    co_return next;
}

void counting_random::fill(std::span<std::byte> bytes) {
    ++next_;
    for (auto& byte : bytes) byte = std::byte{next_};
}

agent::chat_reply says(std::string text) {
    agent::chat_reply reply;
    reply.text = std::move(text);
    reply.usage = {10, 0, 3};
    return reply;
}

agent::chat_reply calls(std::vector<std::pair<std::string, json::object>> calls) {
    static int call_count = 0;
    agent::chat_reply reply;
    reply.stop = agent::stop_reason::tool_calls;
    reply.usage = {10, 0, 3};
    for (auto& [name, arguments] : calls)
        reply.calls.push_back(
            {"call_" + std::to_string(++call_count), name, std::move(arguments), {}}
        );
    return reply;
}

boost::json::value noted(queue::outcome const& outcome, std::string_view name) {
    for (auto const& [node, facts] : outcome.output.at("nodes").as_object())
        if (auto const* value = facts.as_object().if_contains(name)) return *value;
    return nullptr;
}

boost::json::value heard_in(agent::address where, std::string agent) {
    agent::flow::execution_input input;
    input.flow = "assistant";
    input.version = 1;
    input.agent = std::move(agent);
    input.heard = agent::flow::heard_message{where, user_id{7}, telegram_message_id{50}};
    return to_json(input);
}

std::shared_ptr<agent::flow::graph const> assistant_graph() {
    static auto const types = agent::flow::builtin_types();
    std::ifstream file(source("flows/assistant.json"));
    std::stringstream text;
    text << file.rdbuf();
    auto read = agent::flow::read_definition(text.str());
    auto compilation = agent::flow::graph::compile(std::get<agent::flow::definition>(read), types);
    return std::get<std::shared_ptr<agent::flow::graph const>>(std::move(compilation));
}

agent::flow::node_services assistant_services(
    storage::batcher& reads,
    agent::messenger& out,
    base::clock& clock,
    base::random_source& random,
    assistant_profile profile
) {
    agent::flow::node_services services{reads, out, clock, random};
    services.model = [profile](auto const& selection) -> base::result<agent::flow::model_part> {
        auto const other = profile.others.find(selection.credential);
        if (other != profile.others.end()) return other->second;
        if (!profile.model) return base::error(base::errc::not_found, "no such model");
        agent::flow::model_part part;
        part.model = profile.model;
        part.prices = profile.prices;
        part.timeout = profile.timeout;
        part.breaker = profile.breaker;
        part.rate = profile.rate;
        return part;
    };
    services.agents["assistant"] = {
        {"model", "default"},
        {"persona", agent::default_persona},
        {"history", profile.history},
        {"history_tokens", 32'000},
        {"max_tool_calls", profile.max_tool_calls},
        {"max_repeats", agent::bounds::repeats.usual},
        {"max_tokens", 4096},
    };
    services.watcher = [](job_id, lane_id) { return std::make_unique<agent::flow::observer>(); };
    return services;
}

turn_world::turn_world() {
    profile.model = &model;
    job.id = job_id{100};
    job.lane = lane_id{1};
    job.conversation = conversation_id{5};
    job.run_no = 1;
    job.kind = agent::flow::turn_kind;
    job.input = heard_in({bot_id{1}, chat_id{7}, {}});
    table.add({
        {"lane_id", 1},
        {"job_id", 100},
        {"conversation_id", 5},
        {"position", 0},
        {"role", "user"},
        {"content", "What is it?"},
        {"id", "question"},
    });
}

queue::outcome turn_world::run_with(fake_workflow& flow) {
    auto services = assistant_services(table, chat, clock, random, profile);
    services.limits = limits;
    agent::flow::observer nobody;
    struct note { // also when it dies
        turn_world& world;
        fake_workflow& flow;
        ~note() {
            world.log = flow.log;
            world.admitted = flow.admitted;
            world.longest_uses = flow.longest_uses;
            auto const first = world.record.writes.begin() + std::ptrdiff_t(world.applied_);
            std::vector<storage::write> fresh(first, world.record.writes.end());
            world.applied_ = world.record.writes.size();
            world.table.apply(fresh);
        }
    };
    note at_end{*this, flow};
    auto outcome = io.run(agent::flow::execute(*graph, flow, services, nobody));
    flow.finish(outcome);
    return outcome;
}

queue::outcome turn_world::run() {
    fake_workflow flow{job, record};
    flow.stale_commits = stale_commits;
    flow.closed = closed;
    flow.cut_off_at = cut_off_at;
    if (!closing.empty()) model.while_asked = [&] { flow.closed = closing; };
    return run_with(flow);
}

void turn_world::run_and_die(int commit) {
    fake_workflow flow{job, record};
    flow.dies_at_commit = commit;
    try {
        run_with(flow);
    } catch (fake_workflow::died const&) {
        return;
    }
    throw std::logic_error("the turn ended before its commit " + std::to_string(commit));
}

std::vector<std::string> turn_world::texts_of(std::string_view role) const {
    std::vector<std::string> texts;
    for (auto const& row : table.in_order())
        if (text(row, "role") == role) texts.push_back(*text(row, "content"));
    return texts;
}

} // namespace postrider::tests
