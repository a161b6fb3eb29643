/** Who makes a request. */
export interface Principal {
  /** uuid of the API client; null where the operation is public and nobody showed a credential. */
  clientId: string | null;
  clientName: string;
  scopes: readonly string[];
  credential: 'token' | 'api_key' | 'none';
  expiresAt: Date | null;
  /** What a revocation names: the token's `jti` or the API key's id. */
  credentialId: string;
}

export const anonymous: Principal = {
  clientId: null,
  clientName: 'anonymous',
  scopes: [],
  credential: 'none',
  expiresAt: null,
  credentialId: '',
};
