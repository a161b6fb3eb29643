/** Runs jobs of all kinds, as the worker does. */
import type { Context } from '../../src/context.ts';
import { knex } from '../../src/db/query.ts';
import { type Contract, createContract } from '../../src/http/validation/contract.ts';
import { readDocument } from '../../src/http/validation/document.ts';
import { runStep } from '../../src/jobs/run-step.ts';
import { jobKinds } from '../../src/process/job-kinds.ts';

let compiled: Promise<Contract> | undefined;

export const kinds = jobKinds(() => {
  compiled ??= readDocument().then((document) => createContract(document));
  return compiled;
});

type Worker = Pick<Context, 'db' | 'logger'>;

/** Runs one transaction. */
export function runOnce({ db, logger }: Worker) {
  return runStep({ db, logger }, kinds);
}

/** Runs all queued jobs. Those that wait are asked again. */
export async function runJobs(worker: Worker): Promise<void> {
  await worker.db.run(knex('jobs').update({ waits_until: null } as object));
  while ((await runOnce(worker)) !== undefined);
}
