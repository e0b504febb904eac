#include "queue/run/effect_performer.hpp"

#include "queue/engine_measures.hpp"

#include <algorithm>
#include <stdexcept>

namespace postrider::queue {

namespace {

using std::chrono::milliseconds;

effect_change change_of(std::string const& key, effect_state state, effect_record const& effect) {
    return {.key = key, .state = state, .flagged = effect.flagged};
}

// This run has begun it by its intent alone.
bool is_not_called(effect_record const& effect) {
    return effect.state == effect_state::started && effect.own && !effect.called;
}

bool is_not_begun(effect_record const& effect) {
    return effect.state == effect_state::planned || is_not_called(effect);
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
    auto& effect = run_.history.effects[key];
    effect.in_doubt = is_in_doubt(key, effect);
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
        effect.in_doubt = effect.effect_class != effect_class::pure;
        effect.own = true;
    }
    // Its intent alone is nothing that a request comes too late for.
    if (!effect.called) run_.boundary();
    if (!run_.services.may_act()) throw abandoned{};

    // A timeout that the work itself reports is certain not to have happened. One that cut the work off is
    // not, however the work ended then.
    effect.called = true;
    auto value = co_await base::with_timeout(work(), limit);
    if (!value && value.error().reason == base::cut_off)
        value = base::error(base::errc::ambiguous, "no answer in time");
    effect.called = value || value.error() == base::errc::ambiguous;
    if (value || !may_repeat(effect.effect_class)) co_return value;
    auto failure = value.error();
    if (effect.effect_class == effect_class::pure) {
        if (failure == base::errc::ambiguous) failure.code = base::errc::unavailable;
        co_return failure;
    }
    if (failure == base::errc::ambiguous) {
        if (effect.effect_class == effect_class::at_least_once) effect.flagged = true;
        effect.in_doubt = true;
    }
    // The record knows by this that there was one, whichever try comes last and in whichever run.
    if (effect.in_doubt && base::retryable(failure.code)) failure.code = base::errc::ambiguous;
    co_return failure;
}

base::awaitable<void> effect_performer::start(std::string const& key, effect_record& effect) {
    checkpoint_request request;
    request.changes.push_back(change_of(key, effect_state::started, effect));
    request.unless_ending = !run_.undoing;
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
    if (value) measure_first(effect.kind);
}

// Those of earlier runs stand in the record.
void effect_performer::measure_first(std::string const& kind) {
    auto* measures = run_.services.measures;
    if (!measures || run_.job.restarts > 0) return;
    auto const is_done = [&kind](auto const& entry) {
        return entry.second.state == effect_state::done && entry.second.kind == kind;
    };
    if (std::ranges::count_if(run_.history.effects, is_done) != 1) return;
    auto const waited = run_.services.clock.steady() - run_.job.enqueued;
    measures->first_effects.observe(kind, run_.job.kind, waited);
}

// An intent of an earlier run stays what it is: in doubt, when that run had begun it.
void effect_performer::note_intents(std::vector<effect_intent> const& intents) {
    for (auto const& intent : intents) {
        auto const state = intent.at_once ? effect_state::started : effect_state::planned;
        effect_record const own{
            .state = state,
            .effect_class = intent.effect_class,
            .kind = intent.kind,
            .flagged = false,
            .own = true};
        run_.history.effects.try_emplace(intent.key, own);
    }
}

void effect_performer::unbegin() {
    for (auto& [key, effect] : run_.history.effects) {
        if (!is_not_called(effect)) continue;
        effect.state = effect_state::planned;
        run_.journal.hold(change_of(key, effect.state, effect));
    }
}

void effect_performer::drop(std::string_view prefix) {
    for (auto& [key, effect] : run_.history.effects) {
        if (!key.starts_with(prefix) || !is_not_begun(effect)) continue;
        effect.state = is_in_doubt(key, effect) ? effect_state::unknown : effect_state::failed;
        run_.journal.hold(change_of(key, effect.state, effect));
    }
}

bool effect_performer::is_in_doubt(std::string const& key, effect_record const& effect) const {
    if (effect.flagged || effect.in_doubt) return true;
    auto const step = run_.history.steps.find(key);
    if (step == run_.history.steps.end()) return false;
    return std::ranges::any_of(step->second.attempts, [](auto const& attempt) {
        return attempt.failure == base::errc::ambiguous;
    });
}

std::vector<effect_change> effect_performer::close_open(bool repeated) const {
    std::vector<effect_change> closed;
    for (auto const& [key, effect] : run_.history.effects) {
        auto const left = is_in_doubt(key, effect) ? effect_state::unknown : effect_state::failed;
        if (is_not_begun(effect)) closed.push_back(change_of(key, left, effect));
        if (effect.state != effect_state::started || is_not_called(effect)) continue;
        closed.push_back(change_of(key, effect_state::unknown, effect));
        closed.back().flagged = effect.flagged || repeated;
    }
    return closed;
}

bool effect_performer::is_under_way() const {
    return std::ranges::any_of(run_.history.effects, [](auto const& entry) {
        return entry.second.state == effect_state::started && entry.second.called;
    });
}

} // namespace postrider::queue
