import { Encrypter } from 'age-encryption';

/** Makes sealing and opening cheap in this process, which saves a second per file. @returns a function to undo this */
export function sealCheaply(): () => void {
	const { setScryptWorkFactor } = Encrypter.prototype;
	Encrypter.prototype.setScryptWorkFactor = function () {
		setScryptWorkFactor.call(this, 10);
	};
	return () => {
		Encrypter.prototype.setScryptWorkFactor = setScryptWorkFactor;
	};
}
