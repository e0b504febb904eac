#pragma once
// The real binary whose bot is the todo agent, and people who write to it.
#include "tests/end_to_end/server/scene.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace postrider::tests {

class todo_scene : public scene {
public:
    explicit todo_scene(environment more = {});

    // Alice has the task from before.
    void keep_task(std::string const& title);
    // Alice's tasks: "1 buy milk, 2 call Ann done".
    std::string tasks() const;

    // Alice says it and is answered so. The product is started again where it dies meanwhile.
    testing::AssertionResult answers(std::string const& text, std::string const& answer);
    // Everything settles, with a new start where the product dies meanwhile.
    testing::AssertionResult comes_to_rest();
    int deaths() const { return deaths_; }

private:
    bool until(std::function<bool()> const& condition);

    int deaths_ = 0;
};

// Without a key there is no model: rules answer.
environment without_a_model();

} // namespace postrider::tests
