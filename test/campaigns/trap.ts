/** Secrets that cannot be mistaken for anything else, and the search for them in every form in which they could leak. */
import { randomBytes } from 'node:crypto';

/** The baits of one run, and everything else that must not leak. */
export class Trap {
	/** Part of every bait; letters and digits, which no text format writes in another way. */
	readonly #marker = `Q${randomBytes(12)
		.toString('base64')
		.replaceAll(/[^\w]|_/g, 'x')}`;
	/** The secret behind each form that is searched for. */
	readonly #forms = new Map<string, string>();
	#baits = 0;

	constructor() {
		this.add('a bait', this.#marker);
	}

	/** Another secret. `decoration` is what stands after the part that is searched for. */
	bait(decoration = ''): string {
		this.#baits += 1;
		return `${this.#marker}-${this.#baits}${decoration}`;
	}

	/** Adds a secret to the search: in every form, or as it is. */
	add(name: string, secret: string | Uint8Array, forms: Iterable<string> = formsOf(Buffer.from(secret))): void {
		for (const form of forms) this.#forms.set(form, name);
	}

	/** How many forms of secrets are searched for. */
	get size(): number {
		return this.#forms.size;
	}

	/** @throws Error that names the secret, the place and the text around it. */
	search(where: string, content: string | Uint8Array): void {
		const text = Buffer.from(content).toString('latin1');
		for (const [form, name] of this.#forms) {
			const found = text.indexOf(form);
			if (found < 0) continue;
			const around = text.slice(Math.max(0, found - 100), found + form.length + 100);
			throw new Error(`${name} is in ${where}: ${JSON.stringify(Buffer.from(around, 'latin1').toString())}`);
		}
	}
}

/** As it is, in hexadecimal digits, and in Base64 wherever in the encoded text it begins. */
function formsOf(secret: Buffer): Set<string> {
	const hex = secret.toString('hex');
	const forms = new Set([secret.toString('latin1'), hex, hex.toUpperCase()]);
	for (const before of [0, 1, 2]) {
		const whole = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
		// The digits that hold nothing but the secret.
		const digits = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + secret.length) * 8) / 6));
		forms.add(digits);
		forms.add(digits.replaceAll('+', '-').replaceAll('/', '_'));
	}
	return forms;
}
