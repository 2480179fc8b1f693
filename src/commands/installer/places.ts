/** Where the parts of an installation are, below a root folder: `/`, or one for an image. */
import { join } from 'node:path';

/** The paths of an installation. */
export interface Places {
	root: string;
	program: string;
	/** The program before the newest upgrade. */
	previous: string;
	settings: string;
	unit: string;
	/** Says which user the service runs as, for `systemd-sysusers`. */
	users: string;
	data: string;
}

/** The user that the service runs as. */
export const serviceUser = 'access';

/** The places below a root. */
export function placesBelow(root: string): Places {
	return {
		root,
		program: join(root, 'usr/local/bin/access'),
		previous: join(root, 'usr/local/bin/access.previous'),
		settings: join(root, 'etc/access.conf'),
		unit: join(root, 'etc/systemd/system/access.service'),
		users: join(root, 'etc/sysusers.d/access.conf'),
		data: join(root, 'var/lib/access'),
	};
}
