import type { ReactNode } from 'react';
import type { Permission } from '../../platform/vocabulary/permissions.ts';
import { Problem } from '../page/loaded.tsx';
import { useOwn } from './own.ts';

/** A page for accounts with a permission. Other accounts see which permission is missing. */
export function Guarded({ needs, children }: { needs: Permission; children: ReactNode }) {
	return useOwn().can(needs) ? children : <Problem missing={needs} />;
}
