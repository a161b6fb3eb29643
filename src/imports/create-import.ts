import { one } from '../db/db.ts';
import { accepted } from '../http/responses.ts';
import type { Input, Result } from '../operation.ts';
import { encodingNamed } from '../table-files/text/decode-file.ts';
import { requireScopes, requireUsersScope, toImport } from './import.ts';
import { matchFor } from './mapping/mapping.ts';
import { imports } from './queries.ts';
import { receiveFile, type UploadContext } from './receive-file.ts';

/** Imports the file, or makes a draft of it. */
export async function createImport(
  { query, body }: Pick<Input<'createImport'>, 'query' | 'body'>,
  context: UploadContext,
): Promise<Result<'createImport'>> {
  const { principal, baseUrl } = context;
  const { resource, charset, create_users } = query;
  requireScopes(principal, resource, 'write');
  requireUsersScope(principal, create_users);
  if (charset !== undefined) encodingNamed(charset);
  const options = { ...query, match: matchFor(resource, query.match) };
  return receiveFile(body, options, context, async (trx, columns) => {
    const data = toImport(await one(trx, imports.statements.insert(columns)));
    return accepted(data, `${baseUrl}/imports/${data.id}`);
  });
}
