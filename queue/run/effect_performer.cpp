#include "queue/run/effect_performer.hpp"

#include <stdexcept>

namespace postrider::queue {

namespace {

using std::chrono::milliseconds;

bool may_repeat(effect_class declared) {
    return declared != effect_class::at_most_once && declared != effect_class::ask;
}

base::awaitable<step_value> noting_its_end(step_function work, bool& ended) {
    auto value = co_await work();
    ended = true;
    co_return value;
}

effect_change change_of(std::string const& key, effect_state state, effect_record const& effect) {
    return {.key = key, .state = state, .flagged = effect.flagged};
}

} // namespace

base::awaitable<step_value> effect_performer::perform(
    std::string key, base::retry_policy policy, step_function work
) {
    auto const& history = run_.history;
    if (!history.effects.contains(key))
        throw std::logic_error("effect " + key + " was not committed before it is performed");
    auto const step = history.steps.find(key);
    bool const served = step != history.steps.end() && step->second.final_attempt();
    auto bounded = [this, &key, &work](milliseconds limit) { return attempt(key, work, limit); };
    auto value = co_await steps_.attempts(key, policy, bounded);
    if (!served) settle(key, value);
    co_return value;
}

base::awaitable<step_value> effect_performer::attempt(
    std::string key, step_function work, milliseconds limit
) {
    auto& effect = run_.history.effects[key];
    if (effect.state == effect_state::unknown)
        co_return base::error(base::errc::ambiguous, "left in doubt");
    if (effect.state == effect_state::planned) {
        co_await start(key, effect);
    } else if (!effect.own) {
        // A run before started it and did not tell how it ended.
        if (!may_repeat(effect.effect_class))
            co_return base::error(base::errc::ambiguous, "interrupted while it was done");
        if (effect.effect_class == effect_class::at_least_once) effect.flagged = true;
        effect.own = true;
    }
    if (!run_.services.may_act()) throw abandoned{};

    // A timeout that the work itself reports is certain not to have happened; ours is not.
    bool ended = false;
    effect.called = true;
    auto value = co_await base::with_timeout(noting_its_end(work, ended), limit);
    if (!ended) value = base::error(base::errc::ambiguous, "no answer in time");
    effect.called = value || value.error() == base::errc::ambiguous;
    if (!value && value.error() == base::errc::ambiguous && may_repeat(effect.effect_class)) {
        if (effect.effect_class == effect_class::at_least_once) effect.flagged = true;
        co_return base::error(base::errc::unavailable, value.error().detail);
    }
    co_return value;
}

base::awaitable<void> effect_performer::start(std::string const& key, effect_record& effect) {
    checkpoint_request request;
    request.changes.push_back(change_of(key, effect_state::started, effect));
    co_await run_.journal.write(std::move(request));
    effect.state = effect_state::started;
    effect.own = true;
}

void effect_performer::settle(std::string const& key, step_value const& value) {
    auto& effect = run_.history.effects[key];
    effect.state = value                                    ? effect_state::done
                   : value.error() == base::errc::ambiguous ? effect_state::unknown
                                                            : effect_state::failed;
    auto change = change_of(key, effect.state, effect);
    if (value) change.result = *value;
    run_.journal.hold(std::move(change));
}

// An intent of an earlier run stays what it is: in doubt, when that run had begun it.
void effect_performer::note_intents(std::vector<effect_intent> const& intents) {
    for (auto const& intent : intents) {
        auto const state = intent.at_once ? effect_state::started : effect_state::planned;
        effect_record const own{
            .state = state, .effect_class = intent.effect_class, .flagged = false, .own = true};
        run_.history.effects.try_emplace(intent.key, own);
    }
}

void effect_performer::unbegin() {
    for (auto& [key, effect] : run_.history.effects) {
        if (effect.state != effect_state::started || !effect.own || effect.called) continue;
        effect.state = effect_state::planned;
        run_.journal.hold(change_of(key, effect.state, effect));
    }
}

std::vector<effect_change> effect_performer::close_open(bool repeated) const {
    std::vector<effect_change> closed;
    for (auto const& [key, effect] : run_.history.effects) {
        bool const not_called =
            effect.state == effect_state::started && effect.own && !effect.called;
        if (effect.state == effect_state::planned || not_called)
            closed.push_back(change_of(key, effect_state::failed, effect));
        if (effect.state != effect_state::started || not_called) continue;
        closed.push_back(change_of(key, effect_state::unknown, effect));
        closed.back().flagged = effect.flagged || repeated;
    }
    return closed;
}

} // namespace postrider::queue
