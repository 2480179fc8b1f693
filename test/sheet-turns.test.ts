import { expect, test } from 'bun:test';
import { createImportTurns } from '../src/sheets/turns.ts';

test('two imports of the program run at once, of an account one; the next one begins when one ends', async () => {
	const inTurn = createImportTurns();
	const receive = async () => ({ bytes: new Uint8Array(), [Symbol.dispose]() {} });
	const running: { account: string; end: () => void }[] = [];
	const imports = ['a', 'a', 'b', 'c'].map((account) =>
		inTurn(account, receive, () => new Promise<void>((end) => running.push({ account, end }))),
	);
	const begun = () => running.map(({ account }) => account).sort();
	await Bun.sleep(5);
	expect(begun()).toEqual(['a', 'b']);
	running.find(({ account }) => account === 'b')?.end();
	while (running.length < 3) await Bun.sleep(1);
	expect(begun()).toEqual(['a', 'b', 'c']);
	while (running.length < 4) {
		for (const { end } of running) end();
		await Bun.sleep(1);
	}
	for (const { end } of running) end();
	await Promise.all(imports);
	expect(begun()).toEqual(['a', 'a', 'b', 'c']);
});
