import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './api.d.ts';
import { withRetries } from './retries.ts';
import { type Credentials, createTokens, withToken } from './tokens.ts';

export type LeadPipeline = Client<paths>;

export interface Options extends Credentials {
  /** Such as https://api.example.com/v1 */
  baseUrl: string;
  /** Defaults to the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

/** A typed client that gets its tokens and retries temporary failures. Create one for the whole process. */
export function createLeadPipeline(options: Options): LeadPipeline {
  const { baseUrl, fetch = globalThis.fetch } = options;
  // It is safe to ask for a token twice.
  const tokens = createTokens(
    baseUrl,
    options,
    withRetries(fetch, () => true),
  );
  const client = createClient<paths>({
    baseUrl,
    fetch: withRetries(withToken(tokens, fetch)),
    // Lists in a query are comma-separated.
    querySerializer: { array: { style: 'form', explode: false } },
  });
  client.use({
    onRequest({ request }) {
      // Makes the request safe to repeat: a second one with the same key gets the same answer and has no effect.
      const needsKey = ['POST', 'PATCH'].includes(request.method) && !request.headers.has('Idempotency-Key');
      if (needsKey) request.headers.set('Idempotency-Key', crypto.randomUUID());
    },
  });
  return client;
}
