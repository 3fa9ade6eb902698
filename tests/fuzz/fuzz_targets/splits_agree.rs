#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ubjson_fuzz::run("splits_agree", data));
