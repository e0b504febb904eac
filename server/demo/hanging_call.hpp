#pragma once
// Trouble on demand, for a demo: the next call of any model gets no answer before its deadline, which is
// short for it. What follows is the product's own: the call failed by a time-out, and is tried again.
#include "agent/models/model.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>

namespace postrider::server {

class hanging_call {
public:
    static constexpr std::chrono::seconds deadline{10};

    // The stand-in may hang, too: it is asked where rules would answer, which ask no model.
    hanging_call(std::unique_ptr<agent::model> stand_in, std::function<void()> on_change);

    void ask_for() {
        is_asked_for_ = true;
        on_change_();
    }
    // "off", "asked" or "hangs"; "asked", too, where another call hangs meanwhile.
    std::string_view state() const noexcept;

    // The same model, whose next call hangs where that is asked for. On the executor's thread; this
    // outlives it.
    std::unique_ptr<agent::model> may_hang(std::unique_ptr<agent::model> model);
    // The model that a turn asks now in that one's place.
    agent::model* choose(agent::model& usual);

private:
    class hanging_model;
    class hanging;

    std::unique_ptr<agent::model> stand_in_;
    std::function<void()> on_change_;
    bool is_asked_for_ = false;
    int calls_that_hang_ = 0;
};

} // namespace postrider::server
