import type { components } from '../../generated/api.ts';
import type { TestClient } from './client.ts';
import type { TestResource } from './resources.ts';

type Schemas = components['schemas'];

export const apiClients: TestResource<Schemas['OAuthClientWithSecret']> = {
  path: '/clients',
  table: 'api_clients',
  prefix: 'client',
  nameField: 'name',
  required: ['name', 'scopes'],
  shownOnce: 'client_secret',
  input: (name = 'Website backend') => ({ name, scopes: ['leads:write'] }),
};

/** Creates an API client through the API. */
export async function makeApiClient(
  admin: TestClient,
  fields: Partial<Schemas['CreateClient']> = {},
): Promise<Schemas['OAuthClientWithSecret']> {
  const { body } = await admin.post('/clients', { ...apiClients.input(), ...fields }).expect(201);
  return body.data;
}

/** Creates an API key of the client through the API. */
export async function makeApiKey(
  admin: TestClient,
  clientId: string,
  fields: Partial<Schemas['CreateApiKey']> = {},
): Promise<Schemas['ApiKeyWithSecret']> {
  const { body } = await admin.post(`/clients/${clientId}/keys`, { name: 'Zap', ...fields }).expect(201);
  return body.data;
}

/** The same API, as the client with these credentials. Undefined if they get no token. */
export async function signIn(
  anonymous: TestClient,
  { id, client_secret }: Pick<Schemas['OAuthClientWithSecret'], 'id' | 'client_secret'>,
): Promise<TestClient | undefined> {
  const { status, body } = await anonymous.post('/auth/token', {
    grant_type: 'client_credentials',
    client_id: id,
    client_secret,
  });
  return status === 200 ? anonymous.with({ Authorization: `Bearer ${body.access_token}` }) : undefined;
}

/** The entries of the audit log about the client, the oldest first. */
export async function auditOf(admin: TestClient, clientId: string): Promise<Schemas['AuditLogEntry'][]> {
  const { body } = await admin.get(`/audit-log?client_id=${clientId}&sort=created_at`).expect(200);
  return body.data;
}
