#pragma once
// An embedder that gives every text the same vector, and fails where a test says so.
#include "agent/models/embedding/embedder.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace postrider::tests {

class scripted_embedder final : public agent::embedder {
public:
    explicit scripted_embedder(
        std::int64_t tokens_of_a_call = 7, std::int64_t price_of_a_token = 10
    )
        : tokens_(tokens_of_a_call),
          price_(price_of_a_token) {}

    std::string const& name() const override { return name_; }
    void rename(std::string name) { name_ = std::move(name); }
    int dimension() const override { return 2; }
    std::int64_t cost_micro(std::int64_t tokens) const override { return price_ * tokens; }
    base::awaitable<base::result<agent::embedded_texts>> embed(
        std::vector<std::string> texts, std::chrono::milliseconds timeout
    ) override {
        asked.push_back(texts);
        longest = timeout;
        if (failure) co_return *failure;
        if (!refuses.empty() && std::ranges::find(texts, refuses) != texts.end())
            co_return base::error(base::errc::invalid, "HTTP 400");
        agent::embedded_texts embedded;
        embedded.vectors.assign(texts.size(), {0.5f, 1.0f});
        embedded.tokens = tokens_;
        co_return embedded;
    }

    std::vector<std::vector<std::string>> asked;
    std::chrono::milliseconds longest{0}; // that the last call might take
    std::optional<base::error> failure;
    std::string refuses; // the text

private:
    std::int64_t tokens_;
    std::int64_t price_;
    std::string name_ = "scripted/vectors";
};

} // namespace postrider::tests
