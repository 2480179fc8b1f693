/** `bun run test:long [NAME…]`: runs the campaigns at full scale, with figures; exits with 1 if one is refuted. */
import { removeFolders } from '../program.ts';
import { campaigns } from './all.ts';
import { type Figures, hold, NotPossibleHere } from './campaign.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !campaigns.some((campaign) => campaign.name === name));
if (unknown.length > 0) {
	console.error(`no campaign ${unknown.join(', ')}; there are ${campaigns.map(({ name }) => name).join(', ')}`);
	process.exit(2);
}

let refuted = 0;
for (const campaign of campaigns) {
	if (wanted.length > 0 && !wanted.includes(campaign.name)) continue;
	console.log(`${campaign.name}: ${campaign.claim}`);
	const started = performance.now();
	const outcome = await outcomeOf(hold(campaign, 'full', (step) => console.log(`  … ${step}`)));
	console.log(`  ${outcome} in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}
await removeFolders();
console.log(refuted === 0 ? 'nothing was refuted' : `${refuted} campaigns were refuted`);
process.exit(refuted === 0 ? 0 : 1);

async function outcomeOf(figures: Promise<Figures>): Promise<string> {
	try {
		for (const [figure, value] of Object.entries(await figures)) console.log(`  ${figure}: ${value}`);
		return 'held';
	} catch (error) {
		if (error instanceof NotPossibleHere) return `not possible here: ${error.message};`;
		refuted += 1;
		console.error(error);
		return 'REFUTED';
	}
}
