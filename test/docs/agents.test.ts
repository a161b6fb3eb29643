/** What `docs/agents.md` says: the settings to copy connect, and the table has every tool. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { agentTools } from '../../generated/agent-tools.ts';
import { operations } from '../../generated/operations.ts';
import { makeApiKey } from '../support/api-clients.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { readPage } from '../support/markdown.ts';
import { type Agent, connectAgent } from '../support/mcp.ts';

interface Server {
  url: string;
  headers: Record<string, string>;
}

const page = readPage('docs/agents.md');
const settings = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json));
const [, scopes = ''] = /--name "Agent" --scopes "(.+?)"/.exec(page) ?? [];

let app: TestApp;
let reader: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  const { client_id } = await app.credentials(scopes.split(' '), 'sandbox');
  const admin = await app.client(['admin'], 'sandbox');
  const { api_key } = await makeApiKey(admin, client_id);
  reader = app.anonymous.at(`${app.url}/sandbox/v1`).with({ 'X-API-Key': api_key });
});

afterAll(() => app.close());

/** Connects as the settings say, with the key in place of the variable. */
function connect({ url, headers }: Server): Promise<Agent> {
  expect(url).toBe('http://127.0.0.1:3000/sandbox/mcp');
  expect(headers).toEqual({ 'X-API-Key': expect.stringMatching(/^\$\{.+\}$/) });
  return connectAgent(reader);
}

it('has settings for three programs, which connect', async () => {
  expect(settings).toHaveLength(3);
  for (const { mcpServers, servers } of settings) {
    const agent = await connect((mcpServers ?? servers)['lead-pipeline']);
    expect((await agent.call('list_leads', {})).isError).toBe(false);
  }
});

it('gives the agent a key that can only read', async () => {
  const agent = await connectAgent(reader, '?level=write');
  const shown = await agent.tools();
  const reading = agentTools.filter(({ level, name }) => level === 'read' && name !== 'look_up_person');
  expect(shown).toEqual(reading.map(({ name }) => name));
  const { json } = await agent.call('create_lead', { name: 'Ada', email: 'ada@example.com' });
  expect(json.code).toBe('insufficient_scope');
});

it('lists every tool with its scopes', () => {
  const rows = [...page.matchAll(/^\| (`[a-z_`, ]+`) \| (.+?) \|$/gm)].flatMap(
    ([, names = '', needed = '']) => {
      const found = [...needed.matchAll(/`(.+?)`/g)].map(([, scope]) => scope);
      return [...names.matchAll(/`(.+?)`/g)].map(([, name = '']) => [name, found] as const);
    },
  );
  const tools = agentTools.map(
    ({ name, operation }) => [name, operations[operation].scopes?.flat()] as const,
  );
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(tools));
});

it('says how long the list is', async () => {
  const agent = await connectAgent(reader);
  const length = JSON.stringify(await agent.client.listTools()).length;
  const [, promised = ''] = /level `read`, it has ([\d,]+)\./.exec(page) ?? [];
  expect(Math.abs(length - Number(promised.replace(',', '')))).toBeLessThan(2_000);
});
