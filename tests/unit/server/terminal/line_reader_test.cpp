#include "server/terminal/line_reader.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fcntl.h>
#include <unistd.h>

namespace postrider::terminal::line_reader_test {
namespace {

// A pipe whose reading end stands for the standard input.
class input {
public:
    input() {
        if (::pipe(ends_.data()) != 0) throw std::runtime_error("pipe");
    }
    ~input() {
        close();
        ::close(ends_[0]);
    }
    input(input const&) = delete;
    input& operator=(input const&) = delete;

    int descriptor() const { return ends_[0]; }
    void write(std::string_view text) {
        if (::write(ends_[1], text.data(), text.size()) < 0) throw std::runtime_error("write");
    }
    void close() {
        if (open_) ::close(ends_[1]);
        open_ = false;
    }

private:
    std::array<int, 2> ends_{};
    bool open_ = true;
};

TEST(line_reader, gives_lines_as_they_come_and_then_the_end) {
    tests::loop loop;
    input in;
    line_reader lines(loop.executor(), in.descriptor());

    in.write("one\ntw");
    EXPECT_EQ(loop.run(lines.next()), "one");
    in.write("o\n\nlast");
    EXPECT_EQ(loop.run(lines.next()), "two");
    EXPECT_EQ(loop.run(lines.next()), "");
    in.close();
    EXPECT_EQ(loop.run(lines.next()), "last");
    EXPECT_EQ(loop.run(lines.next()), std::nullopt);
    EXPECT_EQ(loop.run(lines.next()), std::nullopt);
}

TEST(line_reader, gives_a_line_before_those_of_before) {
    tests::loop loop;
    input in;
    int lines_seen = 0;
    base::signal seen(loop.executor());
    line_reader lines(loop.executor(), in.descriptor(), [&] {
        ++lines_seen;
        seen.notify();
    });
    auto const is_two = [](std::string_view line) { return line == "two"; };

    in.write("one\ntwo\nthree\nfour\n");
    EXPECT_EQ(loop.run(lines.next()), "one");
    while (lines_seen < 4) loop.run(seen.wait());
    EXPECT_EQ(lines.take_if(is_two)->text, "two");
    EXPECT_FALSE(lines.take_if(is_two));
    EXPECT_EQ(loop.run(lines.next()), "three");
}

TEST(line_reader, goes_while_nothing_comes) {
    tests::loop loop;
    input in;

    { line_reader lines(loop.executor(), in.descriptor()); }

    in.write("unread\n");
    std::array<char, 7> left{};
    EXPECT_EQ(::read(in.descriptor(), left.data(), left.size()), 7);
}

TEST(line_reader, leaves_the_descriptor_blocking) {
    tests::loop loop;
    input in;
    line_reader lines(loop.executor(), in.descriptor());
    in.write("x\n");
    (void)loop.run(lines.next());

    EXPECT_EQ(::fcntl(in.descriptor(), F_GETFL) & O_NONBLOCK, 0);
}

} // namespace
} // namespace postrider::terminal::line_reader_test
