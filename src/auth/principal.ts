/** Who makes a request. */
export interface Principal {
  /** uuid of the API client; null where the operation is public and nobody showed a credential. */
  clientId: string | null;
  /** uuid of the inbound hook whose address was used. */
  hookId: string | null;
  /** `client_…` or `hook_…`, as the log and the client itself know it. */
  publicId: string;
  clientName: string;
  scopes: readonly string[];
  credential: 'token' | 'api_key' | 'none';
  expiresAt: Date | null;
}

export const anonymous: Principal = {
  clientId: null,
  hookId: null,
  publicId: 'anonymous',
  clientName: 'anonymous',
  scopes: [],
  credential: 'none',
  expiresAt: null,
};
