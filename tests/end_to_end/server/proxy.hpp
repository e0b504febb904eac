#pragma once
// A real nginx or Caddy in front of the real binary, with the file that deploy/ ships: its names,
// ports, addresses and certificate are replaced, nothing else. It needs no root, keeps everything in
// a folder of its own and ends with the object. Clients are the curl program, which checks the
// certificate.
#include "tests/end_to_end/server/child.hpp"

#include <iosfwd>
#include <memory>
#include <mutex>

namespace postrider::tests {

enum class proxy_kind { nginx, caddy };
std::ostream& operator<<(std::ostream& out, proxy_kind kind); // names the program

class reverse_proxy {
public:
    // In front of nodes at these ports of 127.0.0.1, one or two. Throws when it does not come up.
    reverse_proxy(proxy_kind kind, std::vector<int> const& nodes);
    ~reverse_proxy();

    // What is missing on this machine to run it; empty: nothing.
    static std::string missing(proxy_kind kind);

    std::string url(std::string const& path) const; // https
    std::string plain_url() const;                  // http, of the same name

    // curl with these arguments, which name the URL. It goes on while the object lives.
    class transfer {
    public:
        std::optional<answer> finish(base::duration limit);
        std::string body() const;         // so far
        std::string measurements() const; // what `-w` asked for, behind the status and a space

    private:
        friend class reverse_proxy;
        std::filesystem::path folder_;
        std::unique_ptr<child> curl_;
    };
    transfer start(std::vector<std::string> const& arguments);
    // The same to its end. Status 0 when there was no answer.
    answer request(std::vector<std::string> const& arguments);

    std::filesystem::path folder() const { return folder_; }
    std::string log() const;

private:
    void make_certificate() const;
    void run_nginx(std::vector<int> const& nodes);
    void run_caddy(std::vector<int> const& nodes);
    std::filesystem::path next_folder();

    std::filesystem::path folder_;
    int port_ = free_port();
    int plain_port_ = free_port();
    std::mutex guard_;
    int transfers_ = 0;
    std::unique_ptr<child> process_;
};

} // namespace postrider::tests
