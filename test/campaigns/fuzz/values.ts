/** Values that a JSON Schema allows, as arbitraries of fast-check, and values just outside its bounds. */
import fc from 'fast-check';
import { statedLength } from '../../contract.ts';
import { character } from './character.ts';
import type { Population } from './population.ts';
import { alternatives, type JsonSchema, nounOfName, nounOfParameter } from './schema.ts';

/** What values are made from besides their schema. */
export interface Sources {
	schemas: Record<string, JsonSchema>;
	population: Population;
	/** Values that mean something in a field of this name, such as the password of an account that exists. */
	known: (name: string) => readonly unknown[];
	/** How many texts are made of each pattern. */
	samples: number;
	seed: number;
}

const extremes = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** Arbitraries for the schemas of one document. */
export class Values {
	readonly #sources: Sources;
	readonly #texts = new Map<string, string[]>();

	constructor(sources: Sources) {
		this.#sources = sources;
	}

	/** Values that the schema allows. `name` is the field's or parameter's: ids and known values go by it. */
	of(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
		const shapes = alternatives(schema, this.#sources.schemas).flatMap((shape) => this.#shape(shape, name));
		return shapes.length === 1 && shapes[0] ? shapes[0] : fc.oneof(...shapes);
	}

	/** An id that a path or field may hold: of what exists, of what was deleted, of something else. */
	idOf(noun: string): fc.Arbitrary<number> {
		const { population } = this.#sources;
		return fc.record({ nth: fc.nat(1000), kind: fc.nat(9) }).map(({ nth, kind }) => {
			if (kind < 7) return population.live(noun, nth);
			return kind < 9 ? population.deleted(noun, nth) : population.foreign(nth);
		});
	}

	/** An id of anything. */
	foreignId(): fc.Arbitrary<number> {
		return fc.nat(1000).map((nth) => this.#sources.population.foreign(nth));
	}

	/** The path parameters, but the first ones name what the last one belongs to, where that is known. */
	belonging(template: string, path: Record<string, string>): Record<string, string> {
		const [last, ...parents] = Object.keys(path).toReversed();
		if (last === undefined) return path;
		const belongings = this.#sources.population.belongings(nounOfParameter(template, last), Number(path[last]));
		const known = parents.map((name) => [name, belongings.get(nounOfParameter(template, name))] as const);
		const fitting = known.filter(([, id]) => id !== undefined).map(([name, id]) => [name, String(id)]);
		return { ...path, ...Object.fromEntries(fitting) };
	}

	/** Values about the bounds of a schema, on either side. */
	bounds(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
		const shapes = alternatives(schema, this.#sources.schemas);
		return fc.oneof(...shapes.map((shape) => this.#boundsOfShape(shape, name)));
	}

	#shape(shape: JsonSchema, name: string): fc.Arbitrary<unknown>[] {
		if ('const' in shape) return [fc.constant(shape.const)];
		if (shape.enum) return [fc.constantFrom(...shape.enum)];
		if (shape.type === undefined) return [shape.properties ? this.#object(shape) : fc.jsonValue()];
		return [shape.type].flat().map((type) => this.#typed(type, shape, name));
	}

	#typed(type: string, shape: JsonSchema, name: string): fc.Arbitrary<unknown> {
		switch (type) {
			case 'null':
				return fc.constant(null);
			case 'boolean':
				return fc.boolean();
			case 'integer':
				return this.#integer(shape, name);
			case 'number':
				return fc.double({ min: shape.minimum ?? -1e6, max: shape.maximum ?? 1e6, noNaN: true });
			case 'string':
				return this.#text(shape, name);
			case 'array':
				return this.#array(shape, name);
			case 'object':
				return this.#object(shape);
			default:
				throw new Error(`the type ${type} is new to this campaign`);
		}
	}

	#integer({ minimum = extremes.minimum, maximum = extremes.maximum }: JsonSchema, name: string) {
		const edges = [minimum, minimum + 1, maximum - 1, maximum].filter((edge) => edge >= minimum && edge <= maximum);
		const any = fc.oneof(
			fc.constantFrom(...edges),
			fc.integer({ min: minimum, max: Math.min(maximum, minimum + 40) }),
			fc.integer({ min: minimum, max: maximum }),
		);
		const noun = nounOfName(name);
		return noun === undefined
			? any
			: fc.oneof({ weight: 6, arbitrary: this.idOf(noun) }, { weight: 1, arbitrary: any });
	}

	#text({ pattern, format, minLength = 0, maxLength = minLength + 30 }: JsonSchema, name: string) {
		if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
		if (pattern === undefined) return fc.string({ unit: character, minLength, maxLength });
		const { known } = this.#sources;
		const expression = new RegExp(pattern);
		// Known values are read at each draw, because they change.
		return fc
			.record({ free: fc.string({ unit: character }), nth: fc.nat(10_000), isKnown: fc.boolean() })
			.map(({ free, nth, isKnown }) => {
				const values = isKnown ? known(name) : [];
				if (values.length > 0) return values[nth % values.length];
				if (expression.test(free)) return free;
				const texts = this.#matching(pattern);
				return texts[nth % texts.length];
			});
	}

	/** Making a text from a pattern takes milliseconds: a few hundred are made once. */
	#matching(pattern: string): string[] {
		const made = this.#texts.get(pattern);
		if (made) return made;
		const { samples: numRuns, seed } = this.#sources;
		const texts = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns, seed });
		this.#texts.set(pattern, texts);
		return texts;
	}

	#array({ items = {}, minItems = 0, maxItems = minItems + 8, uniqueItems = false }: JsonSchema, name: string) {
		const item = this.of(items, name);
		const size = { minLength: minItems, maxLength: maxItems };
		return uniqueItems ? fc.uniqueArray(item, size) : fc.array(item, size);
	}

	#object({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
		const fields = Object.entries(properties).map(([name, schema]) => [name, this.of(schema, name)] as const);
		return fc.record(Object.fromEntries(fields), {
			requiredKeys: required.filter((name) => name in properties),
			noNullPrototype: true,
		});
	}

	#boundsOfShape(shape: JsonSchema, name: string): fc.Arbitrary<unknown> {
		if (shape.enum) return fc.constantFrom(...shape.enum, ...shape.enum.map((value) => `${value}`.toLowerCase()), '');
		const { minimum, maximum, maxItems, items = {} } = shape;
		if (maxItems !== undefined) {
			return fc
				.integer({ min: maxItems - 1, max: maxItems + 1 })
				.chain((length) => fc.array(this.of(items, name), { minLength: length, maxLength: length }));
		}
		if (minimum !== undefined || maximum !== undefined) return fc.constantFrom(...around(minimum), ...around(maximum));
		return textOfLength(lengthsAbout(shape));
	}
}

function around(bound: number | undefined): number[] {
	return bound === undefined ? [] : [bound - 1, bound, bound + 1, bound + 0.5];
}

/** Lengths about every bound that a schema of a text names, also in its pattern and in the words of its description. */
function lengthsAbout({ pattern = '', description, minLength, maxLength }: JsonSchema): number[] {
	const inPattern = pattern.matchAll(/\{(\d+)(?:,(\d+))?\}/g);
	const named = [...inPattern].flatMap(([, least, most]) => [least, most]);
	const bounds = [minLength, maxLength, statedLength(description), ...named]
		.filter((bound) => bound !== undefined)
		.map(Number);
	const lengths = bounds.flatMap((bound) => [-1, 0, 1].map((more) => bound + more));
	return [0, 1, ...new Set(lengths.filter((length) => length > 1))];
}

function textOfLength(lengths: number[]): fc.Arbitrary<string> {
	return fc
		.record({
			length: fc.constantFrom(...lengths),
			character: fc.constantFrom('x', '1', '字', '😀', 'é', ' ', '\u3000'),
			around: fc.constantFrom('', ' ', '\t\n', '\u3000', '\ufeff'),
		})
		.map(({ length, character, around: blank }) => `${blank}${character.repeat(length)}${blank}`);
}
