type Fetch = (request: Request) => Promise<Response>;

export interface Credentials {
  clientId: string;
  clientSecret: string;
}

export interface Tokens {
  /** A token that is valid for at least another minute. */
  get(): Promise<string>;
  /** Drops a token that the service has rejected. */
  forget(token: string): void;
}

/** Milliseconds. */
const MARGIN = 60_000;

/** Keeps one token, and gets the next one shortly before it expires. Concurrent callers wait for the same token. */
export function createTokens(baseUrl: string, { clientId, clientSecret }: Credentials, fetch: Fetch): Tokens {
  let current: { token: string; freshUntil: number } | undefined;
  let pending: Promise<string> | undefined;

  async function request(): Promise<string> {
    const response = await fetch(
      new Request(`${baseUrl}/auth/token`, {
        method: 'POST',
        headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      }),
    );
    if (!response.ok) throw new Error(`No token: ${response.status} ${await response.text()}`);
    const { access_token, expires_in } = (await response.json()) as {
      access_token: string;
      expires_in: number;
    };
    current = { token: access_token, freshUntil: Date.now() + expires_in * 1000 - MARGIN };
    return access_token;
  }

  return {
    async get() {
      if (current !== undefined && Date.now() < current.freshUntil) return current.token;
      pending ??= request().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    forget(token) {
      if (current?.token === token) current = undefined;
    },
  };
}

/** Sends each request with a token. If the service rejects it, for instance after a revocation, gets another one, once. */
export function withToken(tokens: Tokens, fetch: Fetch): Fetch {
  async function send(request: Request): Promise<[string, Response]> {
    const token = await tokens.get();
    const authorized = new Request(request.clone());
    authorized.headers.set('Authorization', `Bearer ${token}`);
    return [token, await fetch(authorized)];
  }
  return async (request) => {
    const [token, response] = await send(request);
    if (response.status !== 401) return response;
    tokens.forget(token);
    await response.body?.cancel();
    const [, second] = await send(request);
    return second;
  };
}
