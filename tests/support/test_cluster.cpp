// Frames a ctest run: `test_cluster start` before the first test that needs Postgres, `test_cluster
// stop` after the last. Also for hands: see tests/support/postgres.hpp.
#include "tests/support/postgres.hpp"

#include <cstdio>
#include <exception>
#include <string_view>

int main(int count, char** words) {
    std::string_view const command = count == 2 ? words[1] : "";
    try {
        if (command == "start")
            postrider::tests::start_test_cluster();
        else if (command == "stop")
            postrider::tests::stop_test_cluster();
        else
            return std::fputs("usage: test_cluster start|stop\n", stderr), 2;
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
