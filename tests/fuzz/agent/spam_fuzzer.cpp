// Any bytes: the normal forms are UTF-8 and the folded one is stable, all checks end with a finite score in its bounds, the
// same message gets the same verdict, and training with it can be undone.
#include "agent/spam/check.hpp"
#include "agent/spam/verdict.hpp"
#include "base/utf8.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace postrider::agent;

void require(bool held) {
    if (!held) std::abort();
}

spam::rules with_all_checks() {
    spam::rules rules;
    for (auto const* check : spam::checks())
        require(bool(rules.set(std::string(check->name) + ".on", "true")));
    return rules;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static auto const rules = with_all_checks();
    static auto learned = spam::default_knowledge();
    static auto const counts = learned.counts();

    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const normal = spam::normalize(text);
    require(postrider::base::is_utf8(normal.plain) && postrider::base::is_utf8(normal.folded));
    require(normal.folded == spam::normalize(text).folded);

    auto message = spam::message_of(text);
    message.author.first_name = text.substr(0, size / 2);
    auto const verdict = spam::judge(message, learned, rules);
    require(verdict.results.size() + 2 >= spam::checks().size());
    for (auto const& result : verdict.results)
        require(std::isfinite(result.score) && std::abs(result.score) <= 1);
    require(verdict.points == spam::judge(message, learned, rules).points);

    spam::sample const sample{spam::kind::spam, std::string(text)};
    learned.add(sample);
    require(bool(learned.remove(sample)) && learned.counts() == counts);
    return 0;
}
