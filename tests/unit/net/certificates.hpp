#pragma once
// A certificate authority that lives as long as a test.
#include <string>

namespace postrider::tests {

struct certificate {
    std::string pem;
    std::string key_pem;
};

class certificate_authority {
public:
    certificate_authority();

    std::string const& pem() const { return own_.pem; }
    // subject_alternative_name: "DNS:localhost,IP:127.0.0.1".
    certificate issue(std::string const& subject_alternative_name) const;

private:
    certificate own_;
};

} // namespace postrider::tests
