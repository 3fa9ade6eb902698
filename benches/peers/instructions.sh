#!/usr/bin/env bash
# Prints, as a Markdown table, how many instructions each contender needs as a fraction of
# serde_json's. Unlike times, instruction counts repeat exactly, whatever else the machine does.
#
#   ./instructions.sh [PAYLOAD...]     rows-medium by default
#
# Needs valgrind.
set -euo pipefail
cd "$(dirname "$0")"

operations=(encode encode-reused decode decode-borrowed skip)
contenders=(
    serde_json
    "ubjson" "ubjson Plain" "ubjson Counted" "ubjson Structs::Array"
    sonic-rs simd-json "rmp-serde named" ciborium cbor4ii bson
    "rmp-serde compact" postcard "bincode varint" "bincode fixed" clone
)
payloads=("$@")
[ ${#payloads[@]} -gt 0 ] || payloads=(rows-medium)

cargo build --release --quiet
program="${CARGO_TARGET_DIR:-target}/release/peers"

# Instructions inside the measured function, over two runs; nothing where there is no such work.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        --collect-atstart=no --toggle-collect='*measured_iterations*' \
        "$program" one "$1" "$2" 2 2>&1 | sed -n 's/.*Collected : //p' || true
}

for payload in "${payloads[@]}"; do
    printf '\n### %s, instructions\n\n| format |' "$payload"
    printf ' %s |' "${operations[@]}"
    printf '\n|---|'
    printf -- '--:|%.0s' "${operations[@]}"
    printf '\n'
    declare -A baseline=()
    for contender in "${contenders[@]}"; do
        line="| $contender |"
        for operation in "${operations[@]}"; do
            instructions="$(count "$payload/$operation" "$contender")"
            if [ -z "$instructions" ] || [ "$instructions" = 0 ]; then
                line+=" – |"
            elif [ "$contender" = serde_json ]; then
                baseline[$operation]=$instructions
                line+=" 1.00 = $((instructions / 2)) |"
            elif [ -z "${baseline[$operation]:-}" ]; then
                line+=" – |"
            else
                ratio="$(awk "BEGIN { printf \"%.2f\", $instructions / ${baseline[$operation]} }")"
                line+=" $ratio |"
            fi
        done
        printf '%s\n' "$line"
    done
done
