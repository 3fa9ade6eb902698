// @shelacek/ubjson and @jsonjoy.com/json-pack as peers.
//
// Answers requests, one JSON object a line, as src/main.rs does: `node node.js PEER`, with NODE_PATH set. A request may
// carry `timeout`, in milliseconds: a decoder that runs into an endless loop is stopped then.
'use strict';

const readline = require('readline');
const vm = require('vm');

function shelacek() {
	const { encode, decode } = require('@shelacek/ubjson');
	const encoders = {
		default: {},
		arrays: { optimizeArrays: true },
		objects: { optimizeObjects: true },
		'arrays objects': { optimizeArrays: true, optimizeObjects: true },
		typedarrays: { optimizeArrays: 'onlyTypedArrays' },
	};
	// Without handlers int64 and high-precision numbers are errors, and so is every length that is an int64.
	const handlers = {
		int64Handling: ({ view }, offset) => {
			const value = view.getBigInt64(offset);
			return Number.isSafeInteger(Number(value)) ? Number(value) : value;
		},
		highPrecisionNumberHandling: ({ array }, offset, length) =>
			new Text(Buffer.from(array.subarray(offset, offset + length)).toString()),
	};
	const decoders = {
		default: {},
		handlers,
		'handlers typedarrays': { ...handlers, useTypedArrays: true },
	};
	return {
		encode: (setting, document) =>
			encode(setting === 'typedarrays' ? withTypedArrays(document) : document, encoders[setting]),
		decode: (setting, bytes) =>
			decode(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), decoders[setting]),
	};
}

function jsonPack() {
	const { UbjsonEncoder } = require('@jsonjoy.com/json-pack/lib/ubjson/UbjsonEncoder');
	const { UbjsonDecoder } = require('@jsonjoy.com/json-pack/lib/ubjson/UbjsonDecoder');
	const { Writer } = require('@jsonjoy.com/buffers/lib/Writer');
	return {
		encode: (setting, document) => {
			const encoder = new UbjsonEncoder(new Writer());
			return encoder.encode(setting === 'bytes' ? withByteArrays(document) : document);
		},
		decode: (setting, bytes) => new UbjsonDecoder().decode(bytes),
	};
}

/** The text of a number that no JavaScript number holds. */
class Text {
	constructor(text) {
		this.text = text;
	}
}

function mapArrays(value, convert) {
	if (Array.isArray(value)) {
		const elements = value.map((element) => mapArrays(element, convert));
		return (elements.length > 0 && elements.every((element) => typeof element === 'number') && convert(elements)) || elements;
	}
	if (value !== null && typeof value === 'object') {
		return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, mapArrays(element, convert)]));
	}
	return value;
}

function within(numbers, min, max) {
	return numbers.every((number) => Number.isInteger(number) && !Object.is(number, -0) && min <= number && number <= max);
}

/** Arrays of numbers as the narrowest typed array that holds them. */
function withTypedArrays(document) {
	return mapArrays(document, (numbers) => {
		if (within(numbers, -128, 127)) return Int8Array.from(numbers);
		if (within(numbers, 0, 255)) return Uint8Array.from(numbers);
		if (within(numbers, -32768, 32767)) return Int16Array.from(numbers);
		if (within(numbers, -2147483648, 2147483647)) return Int32Array.from(numbers);
		const narrow = Float32Array.from(numbers);
		if (numbers.every((number, at) => Object.is(number, narrow[at]))) return narrow;
		return Float64Array.from(numbers);
	});
}

function withByteArrays(document) {
	return mapArrays(document, (numbers) => within(numbers, 0, 255) && Uint8Array.from(numbers));
}

/** JSON in which a float can be told from an integer. */
function print(value) {
	if (value === null) return 'null';
	switch (typeof value) {
		case 'boolean':
			return String(value);
		case 'bigint':
			return String(value);
		case 'number':
			if (Number.isNaN(value)) return 'NaN';
			if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
			return Object.is(value, -0) ? '-0.0' : value.toExponential();
		case 'string':
			return JSON.stringify(value);
		case 'object':
			if (value instanceof Text) return value.text;
			if (Array.isArray(value)) return `[${value.map(print).join(',')}]`;
			if (ArrayBuffer.isView(value)) return `[${Array.from(value, print).join(',')}]`;
			if (Object.getPrototypeOf(value) !== Object.prototype) break;
			return `{${Object.entries(value).map(([key, element]) => `${JSON.stringify(key)}:${print(element)}`).join(',')}}`;
	}
	throw new Error(`no JSON value: ${value === undefined ? 'undefined' : value.constructor.name}`);
}

const peer = { shelacek, 'json-pack': jsonPack }[process.argv[2]]();
globalThis.work = null;
const script = new vm.Script('work()');

function answer(request) {
	globalThis.work = () => {
		if (request.act === 'encode') {
			return { hex: Buffer.from(peer.encode(request.setting, JSON.parse(request.json))).toString('hex') };
		}
		return { json: print(peer.decode(request.setting, new Uint8Array(Buffer.from(request.hex, 'hex')))) };
	};
	try {
		return script.runInThisContext({ timeout: request.timeout ?? 60_000 });
	} catch (error) {
		return { error: error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'endless loop' : String(error) };
	}
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
	process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
});
