import type { Environment } from '../environment.ts';

/** An error that says which database it is about. It never has the password. */
export interface Placed {
  environment?: Environment;
  /** Host, port and name. */
  place?: string;
  /** The variable with its URL. The sandbox's has the prefix `SANDBOX_`. */
  variable?: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_REPLICA_URL';
}

/** Notes on an error which database it is about. */
export function placed(error: unknown, about: Placed): unknown {
  return error instanceof Error ? Object.assign(error, about) : error;
}
