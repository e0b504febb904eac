#pragma once
// Private to fake_models: the providers' prompt caches. What was sent before counts as cached where
// the new request begins with it, byte for byte. A token is four bytes.
#include <boost/json/object.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace postrider::tests {

// A request in the order in which the provider reads it.
struct prompt_part {
    std::string text;
    bool marked = false; // Anthropic's cache_control
};

struct cache_usage {
    std::int64_t fresh = 0;
    std::int64_t written = 0;
    std::int64_t read = 0;

    std::int64_t total() const noexcept { return fresh + written + read; }
};

class prompt_cache {
public:
    // Anthropic's: what a mark ends is kept, and found again from a mark at most 20 parts behind it.
    // Prompts of fewer tokens than `least` are not kept.
    cache_usage take_marked(
        std::string const& model, std::vector<prompt_part> const& parts, std::int64_t least
    );
    // OpenAI's: everything is kept; from 1,024 tokens on, in pieces of 128.
    cache_usage take_all(std::string const& model, std::vector<prompt_part> const& parts);

private:
    std::map<std::string, std::set<std::string>> prefixes_;
    std::map<std::string, std::vector<std::string>> prompts_;
};

} // namespace postrider::tests
