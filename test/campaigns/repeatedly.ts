/** Repeats something until it is stopped; `stop` throws the error that ended it, and says how often it was done. */
export function repeatedly(work: () => Promise<void>) {
	let stopped = false;
	let rounds = 0;
	const ended = (async () => {
		for (; !stopped; rounds += 1) await work();
	})();
	// `stop` reports the error.
	ended.catch(() => {});
	return {
		async stop(): Promise<number> {
			stopped = true;
			await ended;
			return rounds;
		},
	};
}
