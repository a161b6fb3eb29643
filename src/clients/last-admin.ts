import type { ApiClientRow } from '../auth/tables.ts';
import { Problem } from '../problem.ts';

/** Throws 409 if the client is the only one of the enabled clients with the scope `admin` (UUIDs). */
export function requireOtherAdmin([admin, ...others]: readonly string[], { id }: ApiClientRow): void {
  if (id !== admin || others.length > 0) return;
  throw new Problem(
    'last_admin',
    'This is the last enabled client with the scope admin. Create or enable another one first.',
  );
}
