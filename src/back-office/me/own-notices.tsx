import { outage } from '../api/connection.ts';
import { useValue } from '../api/value.ts';
import { useSessionEnd } from '../session/session-end.ts';

/** Says that the service does not answer, or that the session is about to end. */
export function OwnNotices() {
	const problem = useValue(outage);
	const notice = useSessionEnd();
	return (
		<div role="status" className="own-outage">
			{problem ?? notice}
		</div>
	);
}
