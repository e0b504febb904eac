#include "server/views/spam_replay.hpp"

#include "agent/flow/nodes/spam_item.hpp"
#include "agent/spam/store/archive.hpp"
#include "agent/spam/store/samples.hpp"
#include "base/json/json.hpp"

#include <boost/json/array.hpp>

#include <limits>

namespace postrider::server {

namespace json = boost::json;
namespace spam = agent::spam;

namespace {

constexpr int lines_of_page = 500;

// Where the event is gone: what the history says of the message. A text in brackets may stand for one without words.
json::object item_without_event(spam::archived_line const& line, chat_id chat) {
    base::json_reader const author{line.author};
    auto kind = agent::sender_kind::member;
    if (line.sender_chat) kind = agent::sender_kind::channel;
    if (line.sender_chat == base::raw(chat)) kind = agent::sender_kind::anonymous_admin;
    json::object sender{
        {"kind", to_string(kind)},
        {"user", line.user},
        {"name", line.name},
        {"username", author["username"].string_or("")}};
    if (line.sender_chat) sender["chat"] = *line.sender_chat;
    auto const media = author["media"].string_or("");
    bool const is_wordless =
        !media.empty() && line.content.starts_with('(') && line.content.ends_with(')');
    json::object item{{"sender", std::move(sender)}, {"text", is_wordless ? "" : line.content}};
    item["media"] = media;
    item["quote"] = author["quote"].string_or("");
    if (auto const forward = author["forward"]) item["forward"] = *forward.raw();
    auto const read = spam::message_of(line.content);
    auto& links = item["links"].emplace_array();
    for (auto const& url : read.links) links.push_back(json::object{{"url", url}});
    auto& mentions = item["mentions"].emplace_array();
    for (auto const& name : read.mentions) mentions.push_back(json::object{{"username", name}});
    return item;
}

json::object archived_item(spam::archived_line const& line, chat_id chat) {
    auto const* event = line.seen.if_object();
    auto item = event ? *event : item_without_event(line, chat);
    // The history has the last wording; the event has a text only where the message has no words.
    item.emplace("text", line.content);
    item["event"] = "message";
    item["bot"] = 0;
    item["chat"] = base::raw(chat);
    item["user"] = line.user;
    item["message"] = line.message;
    item["date"] = line.sent_at;
    return item;
}

class archive_replay {
public:
    archive_replay(storage::transaction& tx, replay_question const& question)
        : tx_(tx),
          question_(question),
          rules_(tx) {}

    replayed_archive run() {
        auto const first = spam::first_job_since(tx_, question_.age);
        for (auto const chat : spam::archived_groups(tx_, question_.chat))
            replay_group(chat, first);
        return {std::move(replay_.result()), std::move(groups_)};
    }

private:
    void replay_group(chat_id chat, std::int64_t first_job) {
        auto rules = rules_.find(chat);
        auto const& current = rules.settings.rules;
        auto const enough = question_.enough.value_or(rules.settings.enough);
        replay_.use({current, question_.change ? question_.change(current) : current, enough});
        auto const learned = spam::load_knowledge(tx_, chat, rules.settings.samples);
        groups_.push_back({chat, std::move(rules)});
        auto const members = spam::members_before(tx_, chat, question_.age);
        auto job = first_job;
        std::int64_t position = -1;
        for (;;) {
            auto const page =
                spam::archive_page(tx_, chat, job, position, question_.age, lines_of_page);
            for (auto const& line : page) {
                if (replay_.result().judged >= question_.most) {
                    replay_.result().is_cut = true;
                    return;
                }
                add(line, chat, members, learned);
            }
            if (std::ssize(page) < lines_of_page) return;
            job = page.back().job;
            position = page.back().position;
        }
    }

    void add(
        spam::archived_line const& line,
        chat_id chat,
        spam::earlier_members const& members,
        spam::knowledge const& learned
    ) {
        auto const latest = base::sys_time(std::chrono::seconds(line.sent_at));
        auto const item = agent::flow::spam_item_of(archived_item(line, chat), latest);
        if (!item || !agent::flow::unchecked_reason(*item).empty()) return;
        auto const author = item->content.author.id;
        if (members.trusted.contains(author)) return;
        replay_.add(
            {chat, line.message, item->content, members.approved.contains(author)}, learned
        );
    }

    storage::transaction& tx_;
    replay_question const& question_;
    group_rules rules_;
    spam::replay replay_;
    std::vector<replayed_group> groups_;
};

json::array replayed_json(std::vector<spam::replayed_message> const& messages) {
    json::array list;
    for (auto const& message : messages) {
        auto const sent_at = base::sys_time(message.sent_at);
        list.push_back(json::object{
            {"chat", base::raw(message.chat)},
            {"message", message.message},
            {"user", message.author.id},
            {"name", message.author.first_name},
            {"text", message.text},
            {"sent_at", base::to_iso8601(sent_at)},
            {"points_before", message.points_before},
            {"points_after", message.points_after},
            {"reason", message.reason}});
    }
    return list;
}

json::array differences_json(spam::replay_result const& result) {
    json::array list;
    for (auto const& [check, difference] : result.checks)
        list.push_back(json::object{
            {"check", check},
            {"more", difference.more},
            {"less", difference.less},
            {"points_before", difference.before},
            {"points_after", difference.after}});
    return list;
}

} // namespace

replayed_archive replay_archive(storage::transaction& tx, replay_question const& question) {
    return archive_replay(tx, question).run();
}

json::object replay_json(replayed_archive const& replayed) {
    auto const& result = replayed.result;
    json::array rules;
    for (auto const& group : replayed.groups) {
        auto source = rules_source_json(group.rules);
        source["chat"] = base::raw(group.chat);
        rules.push_back(std::move(source));
    }
    return {
        {"judged", result.judged},
        {"spam_before", result.spam_before},
        {"spam_after", result.spam_after},
        {"caught", result.caught},
        {"missed", result.missed},
        {"changed", result.changed},
        {"is_cut", result.is_cut},
        {"newly_caught", replayed_json(result.newly_caught)},
        {"newly_missed", replayed_json(result.newly_missed)},
        {"checks", differences_json(result)},
        {"rules", std::move(rules)}};
}

} // namespace postrider::server
