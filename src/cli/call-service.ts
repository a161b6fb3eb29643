/** Requests of the operator's commands to the running service, as the built-in client "Operator". */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createSigningKeys } from '../auth/signing-keys.ts';
import { signToken } from '../auth/tokens.ts';
import { builtInOperator, OPERATOR_SCOPES } from '../clients/built-in-operator.ts';
import type { Config } from '../config.ts';
import type { Environment } from '../environment.ts';
import { openSecretKey } from '../process/secret-key.ts';
import { toId } from '../values/id.ts';
import { type CommandTarget, type DatabaseOptions, withDatabase } from './database.ts';
import { readConfig } from './read-config.ts';

/** Seconds. A request that takes longer goes on: the token counts when it begins. */
const TOKEN_LIFETIME = 300;
/** Milliseconds until a service counts as not running. */
const PATIENCE = 5_000;

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Finds the service, and returns a function that sends requests to paths of the environment. Throws if nothing answers. */
export async function openService(environment: Environment, url: string | undefined): Promise<Send> {
  const config = readConfig();
  const origin = url?.replace(/\/$/, '') ?? originOf(config);
  // Behind a proxy, the service refuses plain HTTP that the proxy has not vouched for.
  const headers: Record<string, string> =
    config.trustProxy === undefined ? {} : { 'X-Forwarded-Proto': 'https' };
  const baseUrl = await findBaseUrl(origin, environment, headers);
  let token = await issueToken(environment, baseUrl);
  let issued = Date.now();
  const { pathname } = new URL(baseUrl);
  return async (path, init = {}) => {
    if (Date.now() - issued > (TOKEN_LIFETIME * 1_000) / 2) {
      issued = Date.now();
      token = await issueToken(environment, baseUrl, { isAnnounced: true });
    }
    const sent = {
      ...headers,
      ...(init.headers as Record<string, string>),
      Authorization: `Bearer ${token}`,
    };
    return fetch(origin + pathname + path, { ...init, redirect: 'error', headers: sent }).catch((cause) => {
      throw new Error(`The service at ${origin} doesn't answer any more.`, { cause });
    });
  };
}

/** Throws what the service says if the answer is an error. */
export async function requireOk(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  const { message } = (await answer.json().catch(() => ({}))) as { message?: string };
  throw new Error(message ?? `The service answers ${answer.status} ${answer.statusText}.`);
}

/** Writes the body of an answer to standard output. Throws if it ends early. */
export async function print(
  answer: Response,
  onBytes?: (bytes: number, isAll: boolean) => void,
): Promise<void> {
  if (answer.body === null) return;
  let bytes = 0;
  const source = Readable.fromWeb(answer.body as never).on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    onBytes?.(bytes, false);
  });
  let isCut = false;
  source.once('error', () => {
    isCut = true;
  });
  try {
    await pipeline(source, process.stdout, { end: false });
  } catch (error) {
    if (!isCut) throw error;
    throw new Error(`The answer ended early, after ${bytes.toLocaleString('en')} bytes.`, { cause: error });
  }
  onBytes?.(bytes, true);
}

function originOf({ publicUrl, tls, host, port }: Config): string {
  if (publicUrl !== undefined) return publicUrl;
  const local = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `${tls === undefined ? 'http' : 'https'}://${local.includes(':') ? `[${local}]` : local}:${port}`;
}

/** The service says under which address it issues tokens. */
async function findBaseUrl(
  origin: string,
  environment: Environment,
  headers: Record<string, string>,
): Promise<string> {
  const init = { headers: { ...headers, Accept: 'application/json' }, signal: AbortSignal.timeout(PATIENCE) };
  const answer = await fetch(`${origin}/`, init).catch((cause: unknown) => {
    throw new Error(
      `No service answers at ${origin}. Start it with npm start, or give its address with --url.`,
      { cause },
    );
  });
  const { base_urls: urls = {} } = (await answer.json().catch(() => ({}))) as {
    base_urls?: Partial<Record<Environment, string>>;
  };
  const baseUrl = urls[environment];
  if (baseUrl !== undefined) return baseUrl;
  throw new Error(
    `${origin} answers, but it is not a Lead Pipeline API with the ${environment} environment.`,
  );
}

function issueToken(environment: Environment, baseUrl: string, options?: DatabaseOptions): Promise<string> {
  const issue = async ({ db, config }: CommandTarget) => {
    const { id, token_generation: generation } = await builtInOperator(db);
    const keys = createSigningKeys(db, await openSecretKey(config));
    const owner = { clientId: toId('client', id), generation };
    return signToken(keys, baseUrl, owner, OPERATOR_SCOPES, TOKEN_LIFETIME);
  };
  return withDatabase(environment, issue, options);
}
