import type { Request } from 'express';
import type { Db } from '../../db/db.ts';
import type { Answer, OperationContext } from '../../operation.ts';
import type { Principal } from '../../principal.ts';
import { confirmCredential } from '../authenticate.ts';
import { runIdempotently } from '../idempotency/run-idempotently.ts';
import { takesFiles } from '../media-types.ts';

/** How a request of an operation that writes does so: in one transaction, which is rolled back if it is a dry run. */
export function transactionOf(
  req: Request,
  db: Db,
  principal: Principal,
  isDryRun: boolean,
): OperationContext['write'] {
  // A file can't be read twice.
  const once = takesFiles(req.match.operation) ? { attempts: 1 } : {};
  const own: Pick<Db, 'transaction'> = {
    transaction: (work, options) =>
      db.transaction(
        async (trx) => {
          const result = await work(trx);
          await confirmCredential(req, trx);
          req.deadline.check();
          // The client waits for the commit, however long it takes.
          req.deadline.clear();
          return result;
        },
        { ...once, ...options },
      ),
  };
  return (body, work) => (isDryRun ? tryOut(own, work) : writeOnce(req, { db: own, principal, body }, work));
}

interface Writing {
  db: Pick<Db, 'transaction'>;
  principal: Principal;
  body: unknown;
}

/** In one transaction. With an Idempotency-Key, a repeated request gets the stored answer. */
async function writeOnce<Written extends Answer>(
  req: Request,
  { db, principal, body }: Writing,
  work: (trx: Db) => Promise<Written>,
): Promise<Written> {
  const { context, match, method, originalUrl: url } = req;
  const key = keyOf(req);
  if (key === undefined) return db.transaction(work);
  const { secretKey, answerStorage: storage } = context;
  const actingUser = req.get('Acting-User');
  const request = { key, principal, match, method, url, body, actingUser, secretKey, storage };
  const answer = await db.transaction((trx) => runIdempotently(trx, request, () => work(trx)));
  return answer as Written;
}

/** The Idempotency-Key. Undefined if the operation takes none. */
export function keyOf(req: Request): string | undefined {
  return req.match.operation.idempotent ? req.get('Idempotency-Key') : undefined;
}

/** Runs a write and rolls it back. Ignores an Idempotency-Key, since nothing remains that could be repeated. */
async function tryOut<Written extends Answer>(
  db: Writing['db'],
  work: (trx: Db) => Promise<Written>,
): Promise<Written> {
  const answer = await db.transaction(work, { dryRun: true });
  return { ...answer, headers: { ...answer.headers, 'Dry-Run': 'true' } };
}
