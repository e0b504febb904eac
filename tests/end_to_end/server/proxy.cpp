#include "tests/end_to_end/server/proxy.hpp"

#include <ostream>
#include <stdexcept>
#include <stdlib.h>
#include <unistd.h>

namespace postrider::tests {

namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr auto name = "bot.example.org";
constexpr auto proxy_start_limit = 20s;
constexpr auto transfer_limit = 60s;

std::string local(int port) {
    return "127.0.0.1:" + std::to_string(port);
}

// Every occurrence; a file that has none is no longer the one that this was written for.
void replace(std::string& text, std::string const& from, std::string const& to) {
    auto at = text.find(from);
    if (at == text.npos) throw std::runtime_error("the shipped file has no '" + from + "'");
    for (; at != text.npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

} // namespace

std::ostream& operator<<(std::ostream& out, proxy_kind kind) {
    return out << (kind == proxy_kind::nginx ? "nginx" : "caddy");
}

std::string reverse_proxy::missing(proxy_kind kind) {
    for (std::string const program :
         {kind == proxy_kind::nginx ? "nginx" : "caddy", "curl", "openssl"})
        if (!find_program(program)) return program;
    return {};
}

reverse_proxy::reverse_proxy(proxy_kind kind, std::vector<int> const& nodes) {
    auto pattern = (fs::temp_directory_path() / "postrider-proxy-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    make_certificate();
    kind == proxy_kind::nginx ? run_nginx(nodes) : run_caddy(nodes);
    auto const answers = [&] { return process_->wait(0ms) || request({plain_url()}).status != 0; };
    if (!eventually(answers, proxy_start_limit) || process_->wait(0ms))
        throw std::runtime_error("the proxy does not answer:\n" + log());
}

reverse_proxy::~reverse_proxy() {
    process_.reset();
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

void reverse_proxy::make_certificate() const {
    child openssl(
        {"openssl",
         "req",
         "-x509",
         "-newkey",
         "ec",
         "-pkeyopt",
         "ec_paramgen_curve:P-256",
         "-nodes",
         "-days",
         "2",
         "-subj",
         std::string("/CN=") + name,
         "-addext",
         std::string("subjectAltName=DNS:") + name,
         "-keyout",
         folder_ / "key.pem",
         "-out",
         folder_ / "certificate.pem"},
        folder_ / "openssl.log"
    );
    if (openssl.wait(proxy_start_limit) != 0)
        throw std::runtime_error("no certificate:\n" + openssl.output());
}

// The shipped file is a part of `http {…}`; around it stands what Debian's nginx.conf would say.
void reverse_proxy::run_nginx(std::vector<int> const& nodes) {
    auto shipped = read_file("deploy/nginx.conf");
    replace(shipped, "server 127.0.0.1:8080", "server " + local(nodes.at(0)));
    if (nodes.size() > 1)
        replace(shipped, "# server 127.0.0.1:8081", "server " + local(nodes.at(1)));
    replace(shipped, "listen [::]:80;", ""); // a machine may have no IPv6
    replace(shipped, "listen [::]:443 ssl;", "");
    replace(shipped, "listen 80;", "listen " + local(plain_port_) + ";");
    replace(shipped, "listen 443 ssl;", "listen " + local(port_) + " ssl;");
    replace(shipped, "/etc/ssl/bot.example.org/fullchain.pem", folder_ / "certificate.pem");
    replace(shipped, "/etc/ssl/bot.example.org/privkey.pem", folder_ / "key.pem");
    write_file(folder_ / "postrider.conf", shipped);

    std::string around = "daemon off;\npid nginx.pid;\nworker_processes 1;\n";
    if (geteuid() == 0) around += "user root;\n"; // another user could not enter the folder
    around += "events {}\nhttp {\naccess_log off;\n";
    for (std::string const kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"})
        around += kind + "_temp_path " + kind + ";\n";
    write_file(folder_ / "nginx.conf", around + "include postrider.conf;\n}\n");
    process_ = std::make_unique<child>(
        std::vector<std::string>{
            *find_program("nginx"), "-e", "stderr", "-p", folder_, "-c", "nginx.conf"},
        folder_ / "proxy.log"
    );
}

void reverse_proxy::run_caddy(std::vector<int> const& nodes) {
    auto shipped = read_file("deploy/Caddyfile");
    replace(
        shipped,
        "{$POSTRIDER_DOMAIN} {\n",
        "{$POSTRIDER_DOMAIN} {\ntls " + (folder_ / "certificate.pem").string() + " " +
            (folder_ / "key.pem").string() + "\n"
    );
    replace(
        shipped,
        "\n{\n\tlog {",
        "\n{\nadmin off\ndefault_bind 127.0.0.1\nhttp_port " + std::to_string(plain_port_) +
            "\nhttps_port " + std::to_string(port_) + "\nlog {"
    );
    write_file(folder_ / "Caddyfile", shipped);
    std::string upstream;
    for (auto const port : nodes) upstream += local(port) + " ";
    process_ = std::make_unique<child>(
        std::vector<std::string>{
            "caddy", "run", "--adapter", "caddyfile", "--config", folder_ / "Caddyfile"},
        folder_ / "proxy.log",
        environment{
            {"HOME", folder_},
            {"XDG_DATA_HOME", folder_},
            {"XDG_CONFIG_HOME", folder_},
            {"POSTRIDER_DOMAIN", name},
            {"POSTRIDER_UPSTREAM", upstream}}
    );
}

std::string reverse_proxy::url(std::string const& path) const {
    return std::string("https://") + name + ":" + std::to_string(port_) + path;
}

std::string reverse_proxy::plain_url() const {
    return std::string("http://") + name + ":" + std::to_string(plain_port_) + "/healthz";
}

std::string reverse_proxy::log() const {
    return read_file(folder_ / "proxy.log");
}

fs::path reverse_proxy::next_folder() {
    std::lock_guard lock(guard_);
    auto folder = folder_ / ("transfer-" + std::to_string(++transfers_));
    fs::create_directory(folder);
    return folder;
}

reverse_proxy::transfer reverse_proxy::start(std::vector<std::string> const& arguments) {
    transfer begun;
    begun.folder_ = next_folder();
    std::vector<std::string> words{
        "curl",
        "--silent",
        "--no-buffer",
        "--cacert",
        folder_ / "certificate.pem",
        "--noproxy",
        "*",
        "--dump-header",
        begun.folder_ / "head",
        "--output",
        begun.folder_ / "body",
        "--write-out",
        "%{http_code} "};
    for (auto const port : {port_, plain_port_})
        words.insert(
            words.end(), {"--resolve", name + (":" + std::to_string(port)) + ":127.0.0.1"}
        );
    words.insert(words.end(), arguments.begin(), arguments.end());
    begun.curl_ = std::make_unique<child>(std::move(words), begun.folder_ / "measurements");
    return begun;
}

answer reverse_proxy::request(std::vector<std::string> const& arguments) {
    return start(arguments).finish(transfer_limit).value_or(answer{});
}

std::optional<answer> reverse_proxy::transfer::finish(base::duration limit) {
    auto const code = curl_->wait(limit);
    if (!code) return std::nullopt;
    answer received;
    if (*code == 0) received.status = std::stoi(measurements());
    received.head = read_file(folder_ / "head");
    received.body = body();
    return received;
}

std::string reverse_proxy::transfer::body() const {
    return read_file(folder_ / "body");
}

std::string reverse_proxy::transfer::measurements() const {
    return curl_->output();
}

} // namespace postrider::tests
