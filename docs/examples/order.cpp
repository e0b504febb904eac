// An order as a durable workflow: charge, wait for the courier's word, ship; take the money back
// when it never comes. Kill it anywhere and start it again: it goes on, and charges once.
#include "queue/service.hpp"

#include <iostream>

using namespace std::chrono_literals;
using namespace postrider;
using namespace postrider::queue;
using base::awaitable;

awaitable<step_value> call(std::string request) {
    std::cout << request << std::endl; // a request to a shop, a bank, a courier
    co_return boost::json::value(request + " is done");
}

awaitable<outcome> order(workflow& flow) {
    base::retry_policy thrice{.limit = 3, .delay = 1s};
    auto charged = co_await flow.run("charge", thrice, [] { return call("charge"); });
    if (!charged) co_return outcome::failed(charged.error());
    flow.on_rollback("charge", [] { return call("refund"); });

    awaited_event courier{.type = "picked up", .timeout = 24h};
    auto picked_up = co_await flow.wait_for_event("courier", courier);
    if (!picked_up) co_return outcome::failed(picked_up.error());

    co_await flow.sleep("on the road", 50ms);
    auto told = co_await flow.run("tell", thrice, [] { return call("tell the customer"); });
    if (!told) co_return outcome::failed(told.error());
    co_return outcome::completed(*picked_up);
}

int main(int argc, char** argv) {
    service engine{{.database_url = argc > 1 ? argv[1] : ""}};
    engine.add({"order", order});
    if (argc > 2) engine.enqueue("customer:7", "order", {{"item", argv[2]}});
    engine.run_until_idle();
}
