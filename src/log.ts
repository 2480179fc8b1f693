/** Where the program reports what the operator has to know. */
export interface Log {
	error(message: string, fields: Record<string, unknown>): void;
}

/** One JSON object a line on standard error. Every value goes through JSON, so nobody can forge a line. */
export function createLog(write: (line: string) => void): Log {
	return {
		error(message, fields) {
			write(`${JSON.stringify({ time: new Date().toISOString(), level: 'error', message, ...fields })}\n`);
		},
	};
}
