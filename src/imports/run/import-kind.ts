import type { Failure } from '../../jobs/failure.ts';
import type { Kind } from '../../jobs/run-step.ts';
import { cleanUpImport } from '../clean-up.ts';
import { requireScopesOf } from '../mapping/past-times.ts';
import { imports, lockChunk } from '../queries.ts';
import type { ImportRow } from '../tables.ts';
import type { Checks } from './check-bodies.ts';
import { importChunk } from './import-chunk.ts';
import { updateStatistics } from './statistics.ts';

const lostRows: Failure = {
  code: 'rows_lost',
  message: 'The other rows of this file are lost. Send the file again to import them.',
};

/** Imports of files. `checks` compiles the contract, which validates their rows. */
export function importKind(checks: () => Promise<Checks>): Kind<ImportRow> {
  return {
    resource: imports,
    requireScopes: (principal, { options }) => requireScopesOf(principal, options),
    async runChunk(trx, run, context) {
      const chunk = await lockChunk(trx, run.id, run.next_chunk);
      if (chunk === undefined) return { failure: lostRows };
      return importChunk({ db: trx, ...context }, run, chunk, await checks());
    },
    cleanUp: cleanUpImport,
    afterChunk: updateStatistics,
  };
}
