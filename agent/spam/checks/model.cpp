// A model's word, where the filter's user has asked for one: it finds what the other checks let pass, or vetoes what they caught.
// Its weight is that of two sure checks, so that it can be outvoted by many: what an author writes may trick a model.
#include "agent/spam/check.hpp"
#include "base/utf8.hpp"

namespace postrider::agent::spam {

namespace {

constexpr std::size_t longest_reason = 200;

finding look_for_opinion(check_input const& input) {
    auto const& opinion = input.outside.opinion;
    if (!opinion) return {};
    auto const& mode = input.settings.words("mode").front();
    if (mode == (opinion->is_spam ? "veto" : "find")) return {};
    return {
        opinion->is_spam ? 1.0 : -1.0,
        std::string(opinion->is_spam ? "a model calls it spam: " : "a model calls it harmless: ") +
            base::shortened(opinion->reason, longest_reason)};
}

} // namespace

namespace registered {

extern check const model{
    .name = "model",
    .looks_for = "The word of a model, if one is connected.",
    .on = true,
    .weight = 200,
    .parameters =
        {{.key = "mode",
          .fallback = "veto",
          .constraint = "find|veto|both",
          .help = "find: asked about what is no spam so far. veto: about what is. both: always."},
         {.key = "seconds",
          .type = base::setting_type::integer,
          .fallback = "10",
          .constraint = "1..120",
          .help = "How long an answer may take. Without one the other checks decide."},
         {.key = "lines",
          .type = base::setting_type::integer,
          .fallback = "5",
          .constraint = "0..50",
          .help = "Messages of the chat that the model sees with it."},
         {.key = "hours",
          .type = base::setting_type::integer,
          .fallback = "24",
          .constraint = "1..720",
          .help = "How long its word on a text is kept."}},
    .look = look_for_opinion};

} // namespace registered

} // namespace postrider::agent::spam
