import { Encrypter } from 'age-encryption';

/** Makes sealing and opening cheap in this process, which saves a second for each file. @returns the way back */
export function sealCheaply(): () => void {
	const { setScryptWorkFactor } = Encrypter.prototype;
	Encrypter.prototype.setScryptWorkFactor = function () {
		setScryptWorkFactor.call(this, 10);
	};
	return () => {
		Encrypter.prototype.setScryptWorkFactor = setScryptWorkFactor;
	};
}
