import type { Db } from '../db/db.ts';
import type { Principal } from '../principal.ts';
import { updateLastUses } from './queries.ts';

/** Remembers when each API key was last used, until record() stores it: a write per request would be too many. */
export function createKeyUses(db: Db) {
  let uses = new Map<string, number>();
  return {
    /** Returns the principal, whose credential is an API key. */
    note(principal: Principal): Principal {
      if (principal.credentialId !== null) uses.set(principal.credentialId, Date.now());
      return principal;
    },
    async record(): Promise<void> {
      if (uses.size === 0) return;
      const taken = uses;
      uses = new Map();
      try {
        await updateLastUses(db, taken);
      } catch (error) {
        uses = new Map([...taken, ...uses]);
        throw error;
      }
    },
  };
}
