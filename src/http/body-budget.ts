/** The memory that all request bodies may use while they are read, so that slow uploads cannot fill it. */
import { tooBusy } from './reply.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** In bytes, for all bodies together. */
const budget = 96 * mebibyte;

/** A part of it, in bytes, is for small bodies only: large uploads cannot keep people from signing in. */
const keptForSmallBodies = 16 * mebibyte;
export const smallBody = 4 * kibibyte;

let used = 0;

/** What one body uses of the budget; released by `using`. */
export class BodyShare implements Disposable {
	#bytes = 0;

	/** Makes it `bytes` large. @throws AppError SERVICE_UNAVAILABLE when the budget is used up. */
	growTo(bytes: number): void {
		const available = bytes > smallBody ? budget - keptForSmallBodies : budget;
		if (used + bytes - this.#bytes > available) {
			throw tooBusy();
		}
		used += bytes - this.#bytes;
		this.#bytes = bytes;
	}

	[Symbol.dispose](): void {
		used -= this.#bytes;
		this.#bytes = 0;
	}
}
