#include "agent/spam/verdict.hpp"

#include "agent/spam/check.hpp"
#include "base/texts.hpp"

#include <algorithm>
#include <cmath>

namespace postrider::agent::spam {

namespace {

constexpr std::size_t most_reasons = 3;

check_result result_of(check const& check, check_input const& input) {
    auto finding = check.look(input);
    auto const points = finding.score * input.settings.weight;
    return {check.name, finding.score, input.settings.weight, points, std::move(finding.reason)};
}

// What is repeated cannot be harmless: words that speak for a message weigh against other signs, never against a repetition.
// The word of a model is above both.
class point_sum {
public:
    void add(check const& check, double points) {
        if (check.name == "model")
            opinion_ += points;
        else
            (check.of_all_members ? repetition_ : rest_) += points;
    }
    double total() const {
        return opinion_ + repetition_ + (repetition_ > 0 ? std::max(rest_, 0.0) : rest_);
    }

private:
    double repetition_ = 0;
    double rest_ = 0;
    double opinion_ = 0;
};

bool looks(check const& check, message const& message, scrutiny scrutiny) {
    if (message.is_reaction) return check.of_reactions;
    return scrutiny == scrutiny::whole || check.of_all_members;
}

} // namespace

std::string judged_text(message const& message) {
    if (!message.is_external_reply || message.quote.empty()) return message.text;
    return message.text + "\n" + message.quote;
}

verdict judge(
    message const& message,
    knowledge const& knowledge,
    rules const& rules,
    recent_messages const& recent,
    scrutiny scrutiny,
    outside_answers const& outside
) {
    auto const text = normalize(judged_text(message));
    auto const& gate = rules.of("length");
    bool const is_long = !gate.on || is_long_enough(text, gate);
    verdict verdict;
    verdict.threshold = rules.threshold();
    verdict.results.reserve(checks().size());
    point_sum sum;
    for (auto const* check : checks()) {
        auto const& settings = rules.of(check->name);
        if (!settings.on || !looks(*check, message, scrutiny)) continue;
        if (check->needs_length && !is_long) continue;
        auto result = result_of(*check, {message, text, knowledge, recent, settings, outside});
        sum.add(*check, result.points);
        verdict.results.push_back(std::move(result));
    }
    verdict.points = sum.total();
    verdict.is_spam = verdict.points >= verdict.threshold;
    return verdict;
}

verdict with_opinion(verdict base, rules const& rules, opinion const& opinion) {
    auto const result = std::ranges::find(base.results, "model", &check_result::check);
    if (result == base.results.end()) return base;
    auto const check = std::ranges::find(checks(), result->check, &check::name);
    outside_answers const outside{.opinion = opinion};
    base.points -= result->points;
    *result = result_of(**check, {{}, {}, {}, {}, rules.of("model"), outside});
    base.points += result->points;
    base.is_spam = base.points >= base.threshold;
    return base;
}

std::string verdict::reason() const {
    std::vector<check_result const*> speaking;
    for (auto const& result : results)
        if (is_spam ? result.points > 0 : result.points < 0) speaking.push_back(&result);
    std::ranges::stable_sort(speaking, [](auto const* a, auto const* b) {
        return std::abs(a->points) > std::abs(b->points);
    });
    std::vector<std::string_view> reasons;
    for (auto const* result : speaking)
        if (reasons.size() < most_reasons) reasons.push_back(result->reason);
    std::string sentence = is_spam ? "Spam" : "Not spam";
    if (!reasons.empty()) sentence += ": " + base::joined(reasons, "; ");
    return sentence;
}

} // namespace postrider::agent::spam
