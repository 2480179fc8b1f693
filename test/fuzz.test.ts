/** Random valid and invalid requests from the published schemas. `send` checks that the document announces each answer. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Contract, type Endpoint, endpointsOf } from './contract.ts';
import { isShort } from './full.ts';
import { Service } from './harness.ts';
import type { Body } from './http.ts';

/**
 * Six calls of each operation have one with every kind of caller. `FUZZ_CALLS=120 bun test test/fuzz.test.ts` makes more.
 * `FUZZ_SEED` repeats a run.
 */
const callsOfEach = Number(process.env.FUZZ_CALLS ?? (isShort ? 6 : 12));
const seed = Number(process.env.FUZZ_SEED ?? 7);

const service = await Service.start();
const contract = service.contract as Contract;

const anything = fc.anything({ maxDepth: 2, withNullPrototype: false });
const known = fc.constantFrom('王芳', '13800138000', 'a_1', '2999-12-31');
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), known);

/** Usually a value that the schema allows. One in eight is arbitrary. */
function mostly(schema: Body): fc.Arbitrary<unknown> {
	return fc.oneof({ arbitrary: fitting(schema), weight: 7 }, { arbitrary: anything, weight: 1 });
}

function fitting(schema: Body): fc.Arbitrary<unknown> {
	const { $ref, enum: values, type, properties, required = [], items, anyOf, examples } = schema;
	if ($ref) return fitting(contract.resolve(schema));
	if (values) return fc.constantFrom(...values);
	if (anyOf) return fc.oneof(...anyOf.map(fitting));
	const example = examples ? [fc.constantFrom(...examples)] : [];
	if (properties) {
		const members = Object.fromEntries(Object.entries(properties as Body).map(([name, each]) => [name, mostly(each)]));
		return fc.boolean().chain((isWhole) => fc.record(members, { requiredKeys: isWhole ? required : [] }));
	}
	const kinds: Record<string, () => fc.Arbitrary<unknown>> = {
		string: () => fc.oneof(text, ...example),
		integer: () => fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer()),
		boolean: () => fc.boolean(),
		array: () => fc.array(mostly(items), { maxLength: 4 }),
		null: () => fc.constant(null),
	};
	return fc.oneof(...[type].flat().map((each) => kinds[each]?.() ?? anything));
}

/** A request to an operation: its path, with ids and parameters, and its body. */
function requestTo({ operation }: Endpoint) {
	const { parameters = [], requestBody } = operation;
	const inQuery = parameters.filter((each) => each.in === 'query').map(({ name, schema }) => [name, mostly(schema)]);
	const schema = requestBody?.content['application/json']?.schema;
	const id = fc.oneof(fc.integer({ min: 1, max: 8 }).map(String), fc.constant('x'));
	return fc.record({
		ids: fc.array(id, { minLength: 2, maxLength: 2 }),
		query: fc.record(Object.fromEntries(inQuery), { requiredKeys: [] }),
		body: schema ? mostly(schema) : fc.constant(undefined),
	});
}

test('no answer to random requests is undocumented or a failure', async () => {
	const store = await service.addStore();
	const person = await service.addPerson(store.id, 'store:view', 'employee:view:store', 'employee:manage');
	const { key } = service.addProgram(['store:view', 'employee:view:all']);
	let calls = 0;
	for (const endpoint of endpointsOf(contract.document)) {
		// New tokens, because a call may have ended the old ones.
		const tokens = () => [service.superToken, service.superToken, service.tokenOf(person.id), key, undefined];
		for (const { ids, query, body } of fc.sample(requestTo(endpoint), { numRuns: callsOfEach, seed })) {
			const token = tokens()[calls % 5];
			const path = endpoint.template.replace(/\{\w+\}/g, () => `${ids.pop()}`);
			const textOf = (value: unknown) => (typeof value === 'string' ? value : `${JSON.stringify(value)}`);
			const texts = Object.entries(query).map(([name, value]): [string, string] => [name, textOf(value)]);
			const address = `${path}?${new URLSearchParams(texts)}`;
			const sent = { ...(token && { token }), ...(body !== undefined && { body }) };
			const { status } = await service.send(endpoint.method, address, sent);
			const { operationId } = endpoint.operation;
			expect([operationId, address, status < 500]).toEqual([operationId, address, true]);
			calls += 1;
		}
	}
	expect(calls).toBe(callsOfEach * endpointsOf(contract.document).length);
});
