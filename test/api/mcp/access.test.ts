/** Who may use the address for agents, and what for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentTools } from '../../../generated/agent-tools.ts';
import { operations } from '../../../generated/operations.ts';
import { makeApiKey } from '../../support/api-clients.ts';
import { PUBLIC_URL, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { connectAgent } from '../../support/mcp.ts';

let app: TestApp;
let owner: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  owner = await app.client(['read', 'write', 'admin']);
});

afterAll(() => app.close());

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const at = (client: TestClient, path = '') => client.at(`${app.url}${path}`);

const scopesToTry = [
  ['leads:read'],
  ['contacts:read'],
  ['analytics:read'],
  ['leads:write'],
  ['leads:read', 'leads:write'],
  ['leads:write', 'contacts:write'],
  ['events:read'],
  ['read'],
  ['write'],
  ['read', 'write'],
  ['read', 'write', 'admin'],
];

describe('scopes and levels', () => {
  describe.each(scopesToTry.map((scopes) => ({ scopes })))('$scopes', ({ scopes }) => {
    it.each(['read', 'write'] as const)(
      'at the level %s: shows what is allowed, and refuses the rest',
      async (level) => {
        const agent = await connectAgent(await app.client(scopes), `?level=${level}`);
        const shown = await agent.tools();
        for (const { name, operation, level: needed, places } of agentTools) {
          const values = Object.values(places).includes('path')
            ? { id: 'lead_01m7w4n5e0e3tajy9kep34bze2' }
            : {};
          const { isError, json } = await agent.call(name, values);
          // What the API itself says of these scopes.
          const { method, path } = operations[operation];
          const client = await app.client(scopes);
          const url = path.replace('{id}', 'lead_01m7w4n5e0e3tajy9kep34bze2');
          const { body } = await (method === 'get' ? client.get(url) : client[method](url, {}));
          const isGranted = body.code !== 'insufficient_scope';
          const isWithin = level === 'write' || needed === 'read';
          expect([name, shown.includes(name)]).toEqual([name, isGranted && isWithin]);
          if (!isWithin) expect([name, json.code]).toEqual([name, 'level_not_allowed']);
          else expect([name, isError, json.code]).toEqual([name, body.code !== undefined, body.code]);
        }
        await agent.close();
      },
    );
  });

  it('reads only, unless the address says otherwise', async () => {
    const lead = await createLead(owner);
    const agent = await connectAgent(owner);
    const { isError, json } = await agent.call('update_lead', { id: lead.id, status: 'won' });
    expect({ isError, json }).toEqual({
      isError: true,
      json: {
        code: 'level_not_allowed',
        message:
          'update_lead writes, but this address has the level read. A person can add ?level=write to it.',
      },
    });
    const { body } = await owner.get(`/leads/${lead.id}`).expect(200);
    expect(body.data).toEqual(lead);
  });

  it.each(['?level=admin', '?level=', '?level=read&level=write', '?levle=write'])(
    '%s is a 400',
    async (query) => {
      const { body } = await at(owner).post(`/mcp${query}`, list).expect(400);
      expect(body.code).toBe('invalid_parameter');
    },
  );

  it('a tool that does not exist is an error of the protocol', async () => {
    const agent = await connectAgent(owner);
    await expect(agent.call('delete_lead', {})).rejects.toThrow('There is no such tool');
  });
});

describe('requests', () => {
  it('takes a key as it takes a token', async () => {
    const { client_id } = await app.credentials(['leads:read']);
    const { api_key } = await makeApiKey(owner, client_id);
    const agent = await connectAgent(app.anonymous.with({ 'X-API-Key': api_key }));
    const tools = ['list_leads', 'get_lead', 'list_lead_events', 'list_metadata_fields', 'list_notes'];
    expect(await agent.tools()).toEqual(tools);
  });

  it.each(['', '/sandbox'])(
    'without a credential: 401 that leads to the authorization server (%s)',
    async (prefix) => {
      const { headers } = await at(app.anonymous).post(`${prefix}/mcp`, list).expect(401);
      const [, url = ''] = /^Bearer resource_metadata="(.+)"$/.exec(headers['www-authenticate'] ?? '') ?? [];
      expect(url).toBe(`${PUBLIC_URL}/.well-known/oauth-protected-resource${prefix}/mcp`);
      const { body } = await at(app.anonymous).get(url.slice(PUBLIC_URL.length)).expect(200);
      expect(body).toMatchObject({
        resource: `${PUBLIC_URL}${prefix}/mcp`,
        authorization_servers: [`${PUBLIC_URL}${prefix}/v1`],
      });
    },
  );

  it('takes no token that is wrong', async () => {
    const wrong = at(app.anonymous.with({ Authorization: 'Bearer nonsense' }));
    const { body, headers } = await wrong.post('/mcp', list).expect(401);
    expect(body.code).toBe('token_invalid');
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
  });

  it.each(['get', 'head', 'options', 'put', 'patch', 'delete'] as const)('%s is a 405', async (method) => {
    const { headers } = await at(owner)[method]('/mcp').expect(405);
    expect(headers.allow).toBe('POST');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('has nothing below', async () => {
    await at(owner).post('/mcp/leads', list).expect(404);
  });

  it('refuses pages of other origins, and has no CORS for its own', async () => {
    for (const origin of ['https://evil.example', 'null', `${PUBLIC_URL}:8443`]) {
      const { body } = await at(owner.with({ Origin: origin }))
        .post('/mcp', list)
        .expect(403);
      expect(body.code).toBe('origin_not_allowed');
    }
    const { headers } = await at(owner.with({ Origin: PUBLIC_URL }))
      .post('/mcp', list)
      .expect(200);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('takes a body of 256 KiB', async () => {
    const call = (bytes: number) => ({ ...ping, params: { _meta: { text: 'x'.repeat(bytes) } } });
    await at(owner)
      .post('/mcp', call(200 * 1024))
      .expect(200);
    const { body } = await at(owner)
      .post('/mcp', call(256 * 1024))
      .expect(413);
    expect(body.code).toBe('body_too_large');
  });

  it('answers in JSON, without sessions', async () => {
    const { headers, body } = await at(owner).post('/mcp', ping).expect(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-environment': 'production',
    });
    expect(headers).not.toHaveProperty('mcp-session-id');
    expect(body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    await at(owner).post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' }).expect(202);
  });

  it('says what is wrong with a message', async () => {
    const { body } = await at(owner).post('/mcp', '{').expect(400);
    expect(body.code).toBe('invalid_json');
    const { body: unknown } = await at(owner)
      .post('/mcp', { ...ping, method: 'leads/delete' })
      .expect(200);
    expect(unknown.error).toEqual({ code: -32601, message: 'Method not found' });
    await at(owner).post('/mcp', { hello: 'world' }).expect(400);
  });

  it('keeps no stream open', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const method = 'subscriptions/listen';
    const { body } = await at(owner.with({ 'MCP-Protocol-Version': '2026-07-28', 'MCP-Method': method }))
      .post('/mcp', { ...ping, method, params: { _meta: meta, notifications: {} } })
      .expect(200);
    expect(body.error.message).toMatch(/limit/i);
  });
});
