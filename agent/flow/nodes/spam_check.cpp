#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/field_of_item.hpp"
#include "agent/flow/nodes/model_question.hpp"
#include "agent/flow/nodes/spam_opinion.hpp"
#include "agent/flow/nodes/spam_screen.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/spam/store/judgements.hpp"
#include "agent/spam/store/outside_answers.hpp"
#include "agent/spam/verdict_json.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr std::string_view look_step = "look";
constexpr std::string_view verdict_step = "verdict";

// Telegram is asked for the administrators.
constexpr base::retry_policy look_tries{
    .limit = 5, .delay = 1s, .backoff = base::backoff_shape::exponential, .timeout = 60s};

json::object item_verdict(spam::verdict const& verdict) {
    auto object = spam::verdict_json(verdict);
    object["spam"] = verdict.is_spam;
    object.erase("is_spam");
    return object;
}

json::object unchecked_verdict(spam::rules const& rules, std::string_view reason) {
    spam::verdict none;
    none.threshold = rules.threshold();
    auto object = item_verdict(none);
    object["reason"] = "Not checked: " + std::string(reason);
    return object;
}

// One item, from its first step to its verdict.
class spam_checking {
public:
    spam_checking(
        node_run& run, std::size_t place, spam_item const& item, screen_settings const& settings
    )
        : run_(run),
          place_(place),
          item_(item),
          settings_(settings) {}

    base::awaitable<base::result<json::object>> run() {
        auto const work = [this] { return take_a_look(); };
        auto const recorded =
            co_await run_.steps().try_step(look_step, run_.retry(look_tries), work);
        if (!recorded) co_return recorded.error();
        auto look = spam_look_from(*recorded);
        if (!look.unchecked.empty()) co_return unchecked_verdict(settings_.rules, look.unchecked);
        std::optional<spam::opinion> fresh_opinion;
        if (look.asks_model) fresh_opinion = co_await ask_model();
        auto const& opinion = look.opinion ? look.opinion : fresh_opinion;
        if (opinion)
            look.verdict = spam::with_opinion(std::move(look.verdict), settings_.rules, *opinion);
        auto const verdict = co_await conclude(look, fresh_opinion);
        if (!verdict) co_return verdict.error();
        co_return verdict->as_object();
    }

    // Rows of this run wait for a commit.
    bool has_written() const { return has_written_; }

private:
    base::awaitable<queue::step_value> take_a_look() {
        auto const look = co_await screen(run_, item_, settings_);
        if (!look) co_return look.error();
        co_return json::value(to_json(*look));
    }

    // A model that does not answer leaves the decision to the other checks.
    base::awaitable<std::optional<spam::opinion>> ask_model() {
        auto const lines = co_await lines_before(run_, item_, settings_.rules);
        auto const seconds = settings_.rules.of("model").number("seconds");
        auto const answer = co_await ask_models(
            run_, place_, spam_question(item_, lines), std::chrono::seconds(seconds)
        );
        if (!answer) co_return std::nullopt;
        co_return opinion_from(*answer);
    }

    // The commit that records the verdict has its rows, too: where the record has the verdict, they are written.
    base::awaitable<queue::step_value> conclude(
        spam_look const& look, std::optional<spam::opinion> const& fresh_opinion
    ) {
        auto& steps = run_.steps();
        bool const is_written = steps.recorded(verdict_step) || run_.started_by().silent;
        auto verdict =
            co_await steps.record_value(verdict_step, json::value(item_verdict(look.verdict)));
        has_written_ = !is_written;
        if (!is_written)
            for (auto& row : rows_to_write(look, fresh_opinion)) steps.add(std::move(row));
        co_return verdict;
    }

    std::vector<storage::write> rows_to_write(
        spam_look const& look, std::optional<spam::opinion> const& fresh_opinion
    ) const {
        auto const judged = judged_of(item_);
        spam::judgement judgement;
        judgement.verdict = look.verdict;
        judgement.is_kept = look.is_kept || look.verdict.is_spam;
        judgement.counts = look.may_count && !look.verdict.is_spam;
        judgement.enough = settings_.enough;
        auto rows = spam::rows_of(judged, judgement);
        if (look.asked_register)
            rows.push_back(spam::registration_row(item_.user, look.is_registered));
        if (fresh_opinion) {
            auto const words = asked_words(item_.content);
            rows.push_back(spam::opinion_row(
                spam::asked_text_of(item_.place.chat, item_.user, words), *fresh_opinion
            ));
        }
        return rows;
    }

    node_run& run_;
    std::size_t place_;
    spam_item const& item_;
    screen_settings const& settings_;
    bool has_written_ = false;
};

struct checked_item {
    std::size_t place = 0;
    std::string album; // of which group and album it is a part; "" = none
    json::object verdict;
    bool is_joined = false; // spam by another part alone

    bool is_spam() const { return verdict.at("spam").as_bool(); }
};

std::string album_of(spam_item const& item) {
    if (item.content.album.empty()) return {};
    return base::to_string(item.place.chat) + ":" + item.content.album;
}

// Parts that came together were judged before the catch of one was stored: they go with it all the same. Behind it, so that
// the catch has the words that were judged.
void join_albums(std::vector<checked_item>& checked) {
    std::set<std::string> caught;
    for (auto const& item : checked)
        if (!item.album.empty() && item.is_spam()) caught.insert(item.album);
    for (auto& item : checked) {
        if (item.is_spam() || !caught.contains(item.album)) continue;
        item.verdict["spam"] = true;
        item.verdict["reason"] = "Spam: another part of its album is spam";
        item.is_joined = true;
    }
    std::ranges::stable_sort(checked, {}, &checked_item::is_joined);
}

base::awaitable<base::result<outputs>> check_for_spam(node_run& run) {
    std::vector<checked_item> checked;
    bool has_written = false;
    for (std::size_t at = 0; at < run.input().size(); ++at) {
        auto const parameters = co_await run.parameters(at);
        if (!parameters) co_return parameters.error();
        auto const settings = screen_settings_from(*parameters);
        if (!settings) co_return settings.error();
        auto const& input = run.input()[at];
        auto const item = spam_item_of(input.json, run.services().clock.now());
        if (!item) co_return item.error();
        base::result<json::object> verdict = json::object();
        if (auto const reason = unchecked_reason(*item); !reason.empty()) {
            verdict = unchecked_verdict(settings->rules, reason);
        } else {
            spam_checking checking(run, at, *item, *settings);
            verdict = co_await checking.run();
            has_written = checking.has_written();
        }
        if (!verdict) co_return verdict.error();
        checked.push_back({at, album_of(*item), std::move(*verdict)});
    }
    join_albums(checked);
    outputs output;
    for (auto& item : checked)
        output[item.is_spam() ? "spam" : "clean"].push_back(
            {with_field(run.input()[item.place], "verdict", std::move(item.verdict))}
        );
    // What follows on clean messages reads the group beside what is done about its spam: it must know the verdicts.
    if (has_written && output.size() > 1) co_await run.commit({});
    co_return output;
}

} // namespace

behaviour spam_check_behaviour() {
    return durable{check_for_spam};
}

} // namespace postrider::agent::flow
