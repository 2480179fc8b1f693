import { homeFor } from '../account/home.ts';
import { useOwn } from '../account/own.ts';
import { ChainHome } from './chain-home.tsx';
import { ReachHome } from './reach-home.tsx';

/** The page of today, by person. */
export default function HomePage() {
	return homeFor(useOwn()) === 'chain' ? <ChainHome /> : <ReachHome />;
}
