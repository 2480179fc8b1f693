/** Where the parts of an installation are, below a root folder: `/`, or one for an image. */
import { join } from 'node:path';

/** The paths of an installation. */
export type Places = ReturnType<typeof placesBelow>;

/** The user that the service runs as. */
export const serviceUser = 'access';

/** The places below a root. */
export function placesBelow(root: string) {
	return {
		root,
		program: join(root, 'usr/local/bin/access'),
		/** The program before the newest upgrade. */
		previous: join(root, 'usr/local/bin/access.previous'),
		settings: join(root, 'etc/access.conf'),
		unit: join(root, 'etc/systemd/system/access.service'),
		/** Says which user the service runs as, for `systemd-sysusers`. */
		users: join(root, 'etc/sysusers.d/access.conf'),
		data: join(root, 'var/lib/access'),
	};
}
