// nlohmann/json as a peer. Answers requests, one JSON object a line, as src/main.rs does.

#include <cstdint>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

using nlohmann::json;

static std::vector<std::uint8_t> from_hex(const std::string& hex)
{
    std::vector<std::uint8_t> bytes;
    for (std::size_t at = 0; at + 1 < hex.size(); at += 2)
    {
        bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(at, 2), nullptr, 16)));
    }
    return bytes;
}

static std::string to_hex(const std::vector<std::uint8_t>& bytes)
{
    static const char digits[] = "0123456789abcdef";
    std::string hex;
    for (const std::uint8_t byte : bytes)
    {
        hex += digits[byte >> 4];
        hex += digits[byte & 15];
    }
    return hex;
}

static json answer(const json& request)
{
    const std::string setting = request.at("setting");
    if (request.at("act") == "encode")
    {
        const bool count = setting == "count" || setting == "count type";
        const auto document = json::parse(request.at("json").get<std::string>());
        return {{"hex", to_hex(json::to_ubjson(document, count, setting == "count type"))}};
    }
    return {{"json", json::from_ubjson(from_hex(request.at("hex"))).dump()}};
}

int main()
{
    std::string line;
    while (std::getline(std::cin, line))
    {
        json reply;
        try
        {
            reply = answer(json::parse(line));
        }
        catch (const std::exception& error)
        {
            reply = {{"error", error.what()}};
        }
        std::cout << reply.dump(-1, ' ', true, json::error_handler_t::replace) << std::endl;
    }
}
