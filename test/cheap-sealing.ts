import { afterAll, spyOn } from 'bun:test';
import { Encrypter } from 'age-encryption';

/**
 * Makes sealing cheap for a whole test file, which saves half a second for each file. Other processes seal at the real
 * cost.
 */
export function sealCheaply(): void {
	const { setScryptWorkFactor } = Encrypter.prototype;
	const cheap = spyOn(Encrypter.prototype, 'setScryptWorkFactor').mockImplementation(function (this: Encrypter) {
		setScryptWorkFactor.call(this, 10);
	});
	afterAll(() => cheap.mockRestore());
}
