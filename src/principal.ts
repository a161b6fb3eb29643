/** The classes of requests that are counted for each client. */
export const limitedClasses = ['read', 'write', 'batch', 'search', 'analytics'] as const;

/** Requests per 60 seconds, in classes for which a client has limits of its own. */
export type ClientLimits = Partial<Record<(typeof limitedClasses)[number], number>>;

/** The authenticated sender of a request. */
export interface Principal {
  /** uuid of the API client; null for inbound hooks and anonymous requests. */
  clientId: string | null;
  /** uuid of the inbound hook whose URL was called. */
  hookId: string | null;
  /** Public id, `client_…` or `hook_…`. */
  publicId: string;
  clientName: string;
  /** uuid of the client's own user. The client acts for this user while the user is active, unless a request names another one. */
  userId: string | null;
  scopes: readonly string[];
  limits: ClientLimits;
  credential: 'token' | 'api_key' | 'none';
  /** Identifies the credential in the database: the `jti` of a token, the uuid of an API key, the hash of a hook's token. */
  credentialId: string | null;
  expiresAt: Date | null;
  /** The API key that was sent, alone or beside a token. `id` is its UUID. */
  key: { id: string; name: string; hint: string } | null;
  /** Scopes that the response depends on, if it will be stored. hasScope() adds them. */
  usedScopes?: Set<string>;
}

export const anonymous: Principal = {
  clientId: null,
  hookId: null,
  publicId: 'anonymous',
  clientName: 'anonymous',
  userId: null,
  scopes: [],
  limits: {},
  credential: 'none',
  credentialId: null,
  expiresAt: null,
  key: null,
};
