// Schemas that apply themselves to the same value again would never come to an end. All such ways
// are known once the document is compiled: they lead over references, allOf and the like.
#include "agent/json_schema/compiler.hpp"

#include <unordered_set>

namespace postrider::agent::json_schema {

namespace {

constexpr std::size_t longest_chain = 128;

class search {
public:
    explicit search(compiler& compiler) : all_(compiler) {}

    // The longest chain of schemas from here that are applied to one value.
    std::size_t chain(node const& start, std::size_t before) {
        if (auto const entry = length_.find(&start); entry != length_.end()) {
            if (before + entry->second > longest_chain) refuse(start, too_long);
            return entry->second;
        }
        if (!open_.insert(&start).second) return repeat(start), 0;
        if (before > longest_chain) return refuse(start, too_long), 0;
        std::size_t longest = 0;
        for (auto const* next : start.in_place) {
            if (refused_) break;
            longest = std::max(longest, chain(*next, before + 1));
        }
        open_.erase(&start);
        return length_[&start] = longest + 1;
    }

    // Every loop leads through one of them.
    bool repeats(node const& schema) const { return repeating_.contains(&schema); }

    static constexpr auto endless = "applies itself to the same value again, without end";

private:
    static constexpr auto too_long =
        "applies too many schemas to the same value, one through another";

    void refuse(node const& at, std::string message) {
        if (!refused_) all_.refuse(at.pointer, std::move(message));
        refused_ = true;
    }

    void repeat(node const& at) {
        if (all_.options().skips_unusable)
            repeating_.insert(&at);
        else
            refuse(at, endless);
    }

    compiler& all_;
    std::unordered_set<node const*> repeating_;
    std::unordered_map<node const*, std::size_t> length_;
    std::unordered_set<node const*> open_;
    bool refused_ = false;
};

} // namespace

void refuse_loops(std::deque<node>& nodes, compiler& compiler) {
    search looking(compiler);
    for (auto const& each : nodes) looking.chain(each, 0);
    for (auto& each : nodes) {
        each.repeats = looking.repeats(each);
        if (each.repeats) compiler.refuse_part(each, each.pointer, search::endless);
    }
}

} // namespace postrider::agent::json_schema
