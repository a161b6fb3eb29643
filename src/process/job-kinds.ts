import { bulkJobKind } from '../bulk-jobs/run/bulk-job-kind.ts';
import { importKind } from '../imports/run/import-kind.ts';
import type { Kinds } from '../jobs/run-step.ts';
import { declareKind } from '../metadata-fields/declare-kind.ts';
import { seedKind } from '../sandbox/seed-kind.ts';
import { replayKind } from '../webhooks/replay-kind.ts';

/** All kinds of jobs. `contract` compiles the contract, which validates the rows of imports. */
export function jobKinds(contract: Parameters<typeof importKind>[0]): Kinds {
  return {
    import: importKind(contract),
    update: bulkJobKind,
    delete: bulkJobKind,
    reassign: bulkJobKind,
    seed: seedKind,
    declare: declareKind,
    replay: replayKind,
  };
}
