import { type Config, defaultUsername } from '../platform/machine/config.ts';
import { backOfficeUrl, localUrl } from '../platform/machine/local-service.ts';
import { batchLines, createLog } from '../platform/machine/log.ts';
import type { Secrets } from '../platform/machine/secrets.ts';
import { startService } from '../server/server.ts';
import { configure, type ProcessContext } from './process.ts';

/** `access serve`: serves until a signal (0) or a fatal failure (1). @throws OperationError when it cannot start */
export async function serve(context: ProcessContext, { new: startsNew = false }: { new?: boolean }): Promise<number> {
	const config = configure(context);
	const lines = batchLines(context.write);
	const log = createLog(lines, config.LOG_LEVEL, { forPeople: context.isTerminal });
	const ending = Promise.withResolvers<number>();
	const onSecretsMade = (made: Secrets) => {
		const names = Object.keys(made);
		if (names.length > 0) log.info('generated secrets', { names, file: config.folder.secrets });
		if (context.isTerminal) showSecrets(made, config, context);
	};
	const { user, program } = context;
	try {
		const service = await startService({ config, log, user, program, startsNew, onSecretsMade });
		log.info('listening', { ...addressesOf(service.url, config), REQUIRE_OWN_PASSWORD: config.REQUIRE_OWN_PASSWORD });
		context.onStop(() => ending.resolve(0));
		context.onUnforeseen((error) => {
			log.error('unforeseen failure; stopping', { error: Bun.inspect(error) });
			ending.resolve(1);
		});
		const code = await ending.promise;
		log.info('stopping');
		await service.stop();
		log.info('stopped');
		return code;
	} finally {
		await Promise.race([lines.flush(), Bun.sleep(1000)]);
	}
}

/** A terminal shows new passwords to a person. No log holds them. */
function showSecrets(made: Secrets, { ADMIN_USERNAME, REQUIRE_OWN_PASSWORD }: Config, { write }: ProcessContext): void {
	const { ADMIN_PASSWORD: first, INITIAL_EMPLOYEE_PASSWORD: initial } = made;
	if (first) void write(`Administrator: ${ADMIN_USERNAME ?? defaultUsername}, password: ${first}\n`);
	if (initial && REQUIRE_OWN_PASSWORD === 'off') void write(`Initial employee password: ${initial}\n`);
}

/** With PORT=0 the system chose the port. A browser cannot open 0.0.0.0. */
function addressesOf({ port }: URL, config: Config) {
	const listening = { ...config, PORT: Number(port) || config.PORT };
	const url = localUrl(listening);
	return { url, backOffice: backOfficeUrl(listening), swagger: `${url}/swagger` };
}
