import { openService, print } from './call-service.ts';
import { asBody, type Fields, fieldsOf, type RequestOptions, withQuery } from './fields.ts';
import { fileBody } from './file-body.ts';
import { UsageError } from './usage-error.ts';

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** The options of the command. */
export interface Call extends RequestOptions {
  header?: Fields;
  input?: string;
  type?: string;
}

/** Sends the request, and writes the body of the answer to standard output. Returns the exit code. */
export async function callApi(given: string, path: string, call: Call): Promise<number> {
  const method = given.toUpperCase();
  if (!methods.includes(method)) throw new UsageError(`The method must be one of ${methods.join(', ')}.`);
  if (!path.startsWith('/')) throw new UsageError('The path begins with a slash, such as /leads.');
  const { environment, header = [], input, type = 'application/json', url } = call;
  const fields = fieldsOf(call);
  const isRead = ['GET', 'HEAD'].includes(method);
  if (input !== undefined && (isRead || fields.length > 0))
    throw new UsageError('A file is the whole body: it goes neither with fields nor into a GET.');
  const hasBody = !isRead && fields.length > 0;
  const { headers, ...body } =
    input === undefined ? (hasBody ? asBody(fields) : {}) : await fileBody(input, type);
  const send = await openService(environment, url);
  const answer = await send(isRead ? withQuery(path, fields) : path, {
    method,
    ...body,
    headers: { ...headers, ...Object.fromEntries(header) } as Record<string, string>,
  });
  if (!answer.ok) process.stderr.write(`${answer.status} ${answer.statusText}\n`);
  await print(answer);
  return answer.ok ? 0 : 1;
}
