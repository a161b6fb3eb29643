import type { Author } from '../audit-log/log-act.ts';
import { recordAct } from '../audit-log/record-act.ts';
import type { ApiClientRow } from '../auth/tables.ts';
import { one } from '../db/db.ts';
import { updateRow } from '../db/resource.ts';
import { NOW } from '../db/row-statements.ts';
import type { ClientLimits } from '../principal.ts';
import { newUuid } from '../values/id.ts';
import { hashSecret, newSecret } from '../values/secrets.ts';
import { clients, pauseWebhooks } from './queries.ts';

interface NewClient {
  name: string;
  scopes: readonly string[];
  /** UUID. */
  userId?: string | null;
  limits?: ClientLimits;
}

/** Inserts a client. Only this returns its secret; its SHA-256 is stored. */
export async function addClient(
  author: Author,
  { name, scopes, userId = null, limits = {} }: NewClient,
): Promise<{ row: ApiClientRow; secret: string }> {
  const secret = newSecret('secret', author.environment);
  const insertion = clients.statements.insert({
    id: newUuid(),
    name,
    scopes: [...new Set(scopes)],
    secret_hash: hashSecret(secret),
    user_id: userId,
    limits,
  });
  const row = await one(author.db, insertion);
  await recordAct(author, 'client.created', clientSubject(row));
  return { row, secret };
}

/** The old secret stops working immediately. Unless `revokeTokens` is set, tokens issued with it stay valid until they expire. */
export async function replaceSecret(
  author: Author,
  { id, token_generation: generation }: ApiClientRow,
  { revokeTokens }: { revokeTokens: boolean },
): Promise<{ row: ApiClientRow; secret: string }> {
  const secret = newSecret('secret', author.environment);
  const row = await updateRow(author.db, clients, id, {
    secret_hash: hashSecret(secret),
    token_generation: generation + (revokeTokens ? 1 : 0),
  });
  await recordAct(author, 'client.secret_rotated', clientSubject(row));
  if (revokeTokens) await recordAct(author, 'client.tokens_revoked', clientSubject(row));
  return { row, secret };
}

/** Disables a locked client, and pauses its webhooks. Its jobs end at their next step. Does nothing if it is disabled. */
export async function disable(author: Author, client: ApiClientRow): Promise<ApiClientRow> {
  if (client.disabled_at !== null) return client;
  await pauseWebhooks(author.db, client.id);
  const row = await updateRow(author.db, clients, client.id, { disabled_at: NOW });
  await recordAct(author, 'client.disabled', clientSubject(row));
  return row;
}

/** Enables a locked client. Does nothing if it is enabled. */
export async function enable(author: Author, client: ApiClientRow): Promise<ApiClientRow> {
  if (client.disabled_at === null) return client;
  const row = await updateRow(author.db, clients, client.id, { disabled_at: null });
  await recordAct(author, 'client.enabled', clientSubject(row));
  return row;
}

/** How the audit log names a client. */
export function clientSubject({ id, name, scopes }: ApiClientRow) {
  return { client_id: id, name, scopes };
}
