import { afterAll, spyOn } from 'bun:test';
import { Encrypter } from 'age-encryption';

/** For all of a test file: half a second for each file otherwise. What another process seals has the real cost. */
export function sealCheaply(): void {
	const { setScryptWorkFactor } = Encrypter.prototype;
	const cheap = spyOn(Encrypter.prototype, 'setScryptWorkFactor').mockImplementation(function (this: Encrypter) {
		setScryptWorkFactor.call(this, 10);
	});
	afterAll(() => cheap.mockRestore());
}
