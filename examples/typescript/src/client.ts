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

/** A typed client that gets its tokens and repeats what failed for a moment. Make one for the whole process. */
export function createLeadPipeline(options: Options): LeadPipeline {
  const { baseUrl, fetch = globalThis.fetch } = options;
  // To ask for a token twice does no harm.
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
      // So that it can be repeated: the service answers the same key the same way and does nothing twice.
      const needsKey = ['POST', 'PATCH'].includes(request.method) && !request.headers.has('Idempotency-Key');
      if (needsKey) request.headers.set('Idempotency-Key', crypto.randomUUID());
    },
  });
  return client;
}
