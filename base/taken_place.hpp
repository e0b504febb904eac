#pragma once
// One of a bounded number of places, taken as long as the value lives. The count outlives it. On one thread.

namespace postrider::base {

class taken_place {
public:
    explicit taken_place(int& taken) : taken_(taken) { ++taken_; }
    ~taken_place() { --taken_; }
    taken_place(taken_place const&) = delete;
    taken_place& operator=(taken_place const&) = delete;

private:
    int& taken_;
};

} // namespace postrider::base
