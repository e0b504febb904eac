#include "agent/flow/nodes/spam_screen.hpp"

#include "agent/flow/nodes/cas.hpp"
#include "agent/flow/nodes/spam_opinion.hpp"
#include "agent/flow/parts/models.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/spam/check.hpp"
#include "agent/spam/rules_json.hpp"
#include "agent/spam/store/judgements.hpp"
#include "agent/spam/store/outside_answers.hpp"
#include "agent/talk/messenger.hpp"
#include "base/utf8.hpp"
#include "storage/stores/group_archive.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr base::duration screen_read_deadline = 10s;
constexpr base::duration administrators_deadline = 10s;
constexpr std::size_t longest_line = 300; // bytes that a model sees of another message

// Among the administrators that the messenger lists are no other bots.
base::awaitable<base::result<bool>> runs_group(messenger& out, spam_item const& item) {
    if (item.sender == sender_kind::bot) {
        auto const member = co_await base::with_timeout(
            out.get_member(item.place, item.user), administrators_deadline
        );
        if (!member) co_return member.error();
        co_return runs_chat(member->standing);
    }
    auto const members =
        co_await base::with_timeout(out.get_administrators(item.place), administrators_deadline);
    if (!members) co_return members.error();
    user_id const author{item.content.author.id}; // the linked channel is one of them
    co_return std::ranges::find(*members, author, &chat_member::user) != members->end();
}

bool is_person(spam_item const& item) noexcept {
    return item.content.author.id == base::raw(item.user) && item.user != user_id{};
}

std::chrono::hours hours_of(spam::check_settings const& settings) {
    return std::chrono::hours(settings.number("hours"));
}

class message_screen {
public:
    message_screen(node_run& run, spam_item const& item, screen_settings const& settings)
        : run_(run),
          services_(run.services()),
          item_(item),
          settings_(settings),
          judged_(judged_of(item)) {}

    base::awaitable<base::result<spam_look>> look() {
        if (is_person(item_) && services_.is_owner &&
            services_.is_owner(item_.place.bot, item_.user))
            co_return unchecked("an owner of the bot wrote it");
        auto standing =
            co_await spam::read_standing(services_.reads, judged_, screen_read_deadline);
        if (!standing) co_return standing.error();
        standing_ = std::move(*standing);
        if (standing_.acquaintance == spam::acquaintance::trusted)
            co_return unchecked("its author is trusted");
        if (item_.content.is_reaction && !is_stranger())
            co_return unchecked("its author is approved");
        if (auto const read = co_await read_knowledge(); !read) co_return read.error();
        judge();
        if (auto const asked = co_await ask_register(); !asked) co_return asked.error();
        bool const asks = asks_model();
        if (look_.verdict.is_spam || asks) {
            auto const answer = co_await is_written_by_administrator();
            if (!answer && look_.verdict.is_spam) co_return answer.error();
            if (answer && *answer)
                co_return unchecked(
                    is_person(item_) ? "an administrator wrote it" : "it is of the linked channel"
                );
            // Without an answer no model is asked: what it finds could be an administrator's.
            if (answer && asks)
                if (auto const read = co_await prepare_question(); !read) co_return read.error();
        }
        look_.is_kept = is_whole() || look_.verdict.is_spam;
        look_.may_count = is_stranger() && is_long_enough() && !item_.content.is_edit &&
                          !item_.content.is_reaction;
        co_return std::move(look_);
    }

private:
    static spam_look unchecked(std::string_view reason) {
        spam_look look;
        look.unchecked = reason;
        return look;
    }

    bool is_stranger() const noexcept {
        return standing_.acquaintance == spam::acquaintance::stranger;
    }
    bool is_whole() const noexcept {
        return is_stranger() || (item_.content.is_edit && settings_.checks_edits);
    }
    // A text that the filter cannot judge by its words says nothing about its author.
    bool is_long_enough() const {
        auto const& gate = settings_.rules.of("length");
        return !gate.on || spam::is_long_enough(spam::normalize(item_.content.text), gate);
    }

    base::awaitable<base::result<void>> read_knowledge() {
        knowledge_ = std::shared_ptr<spam::knowledge const>(
            std::shared_ptr<void>(), &spam::default_knowledge()
        );
        if (!services_.spam) co_return base::result<void>{};
        auto learned = co_await services_.spam->find(
            item_.place.chat, settings_.samples, standing_.revisions, screen_read_deadline
        );
        if (!learned) co_return learned.error();
        knowledge_ = std::move(*learned);
        co_return base::result<void>{};
    }

    void judge() {
        auto const scrutiny = is_whole() ? spam::scrutiny::whole : spam::scrutiny::repetitions;
        look_.verdict = spam::judge(
            item_.content, *knowledge_, settings_.rules, standing_.recent, scrutiny, answers_
        );
    }

    // Where it may decide.
    base::awaitable<base::result<void>> ask_register() {
        auto const& cas = settings_.rules.of("cas");
        if (!cas.on || look_.verdict.is_spam || !is_stranger() || !is_person(item_))
            co_return base::result<void>{};
        auto const registration = co_await spam::read_registration(
            services_.reads, item_.user, hours_of(cas), screen_read_deadline
        );
        if (!registration) co_return registration.error();
        auto listed = registration->is_registered;
        if (!listed && !registration->is_away) {
            auto const answer = co_await ask_cas(
                services_,
                cas.words("url").front(),
                item_.user,
                std::chrono::seconds(cas.number("seconds"))
            );
            if (answer) listed = *answer;
            look_.asked_register = true;
            look_.is_registered = listed;
        }
        answers_.is_registered = listed.value_or(false);
        if (answers_.is_registered) judge();
        co_return base::result<void>{};
    }

    bool asks_model() const {
        auto const& model = settings_.rules.of("model");
        if (!model.on || !is_whole() || item_.content.is_reaction || !is_long_enough())
            return false;
        auto const& mode = model.words("mode").front();
        if (mode == (look_.verdict.is_spam ? "find" : "veto")) return false;
        return !run_.parts(0)->connected(ai_model).empty();
    }

    base::awaitable<base::result<bool>> is_written_by_administrator() {
        auto const answer = co_await runs_group(services_.out, item_);
        // Not the result itself: a result of bool can be made of whether another has a value.
        if (answer) co_return *answer;
        if (base::retryable(answer.error().code)) co_return answer.error();
        co_return false;
    }

    base::awaitable<base::result<void>> prepare_question() {
        auto const& model = settings_.rules.of("model");
        auto const asked =
            spam::asked_text_of(item_.place.chat, item_.user, asked_words(item_.content));
        auto opinion = co_await spam::read_opinion(
            services_.reads, asked, hours_of(model), screen_read_deadline
        );
        if (!opinion) co_return opinion.error();
        look_.opinion = std::move(*opinion);
        look_.asks_model = !look_.opinion;
        co_return base::result<void>{};
    }

    node_run& run_;
    node_services const& services_;
    spam_item const& item_;
    screen_settings const& settings_;
    spam::judged_message judged_;
    spam::standing standing_;
    std::shared_ptr<spam::knowledge const> knowledge_;
    spam::outside_answers answers_;
    spam_look look_;
};

} // namespace

base::result<screen_settings> screen_settings_from(json::object const& parameters) {
    auto rules = spam::changed_rules(parameters.at("rules").as_object());
    if (!rules) return rules.error();
    screen_settings settings;
    settings.rules = std::move(*rules);
    std::string_view const samples = parameters.at("samples").as_string();
    settings.samples = spam::sample_choice_named(samples).value_or(settings.samples);
    settings.enough = parameters.at("messages_until_approved").to_number<int>();
    settings.checks_edits = parameters.at("check_edits").as_bool();
    return settings;
}

spam::judged_message judged_of(spam_item const& item) {
    return {item.place.chat, base::raw(item.message), item.content};
}

base::awaitable<std::vector<std::string>> lines_before(
    node_run& run, spam_item const& item, spam::rules const& rules
) {
    std::vector<std::string> lines;
    auto const limit = static_cast<int>(rules.of("model").number("lines"));
    if (limit == 0) co_return lines;
    storage::archive_page page;
    page.bot = item.place.bot;
    page.chat = item.place.chat;
    page.lane = run.steps().job().lane;
    page.before_message = item.message; // an edit is judged long after it was sent
    page.limit = limit;
    auto const messages =
        co_await storage::read_archive(run.services().reads, page, screen_read_deadline);
    if (!messages) co_return lines;
    for (auto const& message : *messages)
        if (!message.is_removed)
            lines.push_back(base::shortened(message.name + ": " + message.text, longest_line));
    co_return lines;
}

base::awaitable<base::result<spam_look>> screen(
    node_run& run, spam_item const& item, screen_settings const& settings
) {
    message_screen screening(run, item, settings);
    co_return co_await screening.look();
}

} // namespace postrider::agent::flow
