import { openService, print, requireOk } from './call-service.ts';
import { fieldsOf, type RequestOptions, withQuery } from './fields.ts';
import { createByteCounter } from './progress.ts';

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/** Writes the file that a request gets to standard output. Shows how much arrives if a terminal can show it beside the file. */
export async function exportRows(
  resource: string,
  { format, ...options }: RequestOptions & { format: keyof typeof types },
): Promise<void> {
  const send = await openService(options.environment, options.url);
  const path = withQuery(`/${resource}/export`, fieldsOf(options));
  const answer = await requireOk(await send(path, { headers: { Accept: types[format] } }));
  const isShown = process.stderr.isTTY && !process.stdout.isTTY;
  await print(answer, isShown ? createByteCounter(process.stderr) : undefined);
}
