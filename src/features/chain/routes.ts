import { Elysia } from 'elysia';
import { permit, permitDespite, type RouteDependencies } from '../../identity/session/session.ts';
import { jsonBody } from '../../platform/http/body.ts';
import { doc, protectedFailures, Success, success } from '../../platform/http/reply.ts';
import { Chain, NameChain } from './model.ts';
import { nameChain } from './service.ts';

/** The routes of `/api/chain`. */
export function chainRoutes({ db, session, chainName }: RouteDependencies & { chainName: () => string | undefined }) {
	return new Elysia({ prefix: '/api/chain' })
		.use(session)
		.get('', () => success({ name: chainName() ?? null }), {
			transform: permitDespite(),
			response: { 200: Success(Chain), ...protectedFailures() },
			...doc('getChain', "Get the chain's name"),
		})
		.put('', ({ caller, body }) => success(nameChain(db, caller, body, chainName())), {
			transform: permit('*'),
			...jsonBody(NameChain),
			response: { 200: Success(Chain), ...protectedFailures(413, 503) },
			...doc(
				'nameChain',
				'Name the chain',
				'The name wins over the setting CHAIN_NAME. A password must not contain it.',
			),
		});
}
