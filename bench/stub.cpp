// Telegram and the model providers in a process of their own, until it is terminated. The first
// line of stdout is the address.
#include "base/log.hpp"
#include "bench/outside_world.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>

#include <iostream>

int main(int count, char** values) {
    using namespace postrider;
    bench::outside_world::manner like;
    CLI::App app{"Plays Telegram's Bot API and a model."};
    app.add_option("--listen", like.listen, "host:port; port 0 = any");
    app.add_flag("--tool", like.calls_tool, "the model calls the calculator before it answers");
    CLI11_PARSE(app, count, values);

    base::log::configure(base::log::level::warn, base::log::format::logfmt);
    boost::asio::io_context context{1};
    bench::outside_world world{context.get_executor(), std::move(like)};
    if (auto started = world.start(); !started) {
        std::cerr << "postrider_bench_stub: " << base::to_string(started.error()) << '\n';
        return 1;
    }
    std::cout << world.address() << std::endl;
    context.run();
}
