/** Runs the MCP server that `docs/agents.md` names, with the settings to copy from there. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { leadInput } from '../support/factories.ts';
import { readPage } from '../support/markdown.ts';
import { createWorkshop } from './tools.ts';

const page = readPage('docs/agents.md');
const [, settings = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
const [, scopes = ''] = /--name "Agent" --scopes "(.+)"/.exec(page) ?? [];
const { args, env }: { args: string[]; env: Record<string, string> } =
  JSON.parse(settings).mcpServers['lead-pipeline'];
const [, server = '', ...options] = args;
const [name = '', version = ''] = server.split(/(?<=.)@/);
const tools = options.filter((_, index) => options[index - 1] === '--tool');

let app: TestApp;
let client: TestClient;
let key: string;
let workshop: Awaited<ReturnType<typeof createWorkshop>>;
let agent: Agent;

beforeAll(async () => {
  app = await startTestApp();
  workshop = await createWorkshop();
  client = await app.client();
  const { client_id } = await app.credentials(scopes.split(' '));
  const admin = await app.client(['admin']);
  const { body } = await admin.post(`/clients/${client_id}/keys`, { name: 'MCP' }).expect(201);
  key = body.data.api_key;
  const folder = await workshop.install('mcp', { [name]: version });
  agent = new Agent(join(folder, 'node_modules', name, 'bin/mcp-server.js'), options, {
    OPENAPI_SPEC_PATH: env.OPENAPI_SPEC_PATH?.replace('http://127.0.0.1:3000', app.url),
    API_BASE_URL: `${app.url}/v1`,
    API_HEADERS: env.API_HEADERS?.replace('YOUR-KEY', key),
  });
  await agent.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
}, 400_000);

afterAll(async () => {
  agent.stop();
  await app.close();
  await workshop.remove();
});

it('offers exactly the tools of the chapter, and says when to use them', async () => {
  const { tools: offered } = await agent.request('tools/list');
  expect(offered.map((tool) => tool.name).toSorted()).toEqual(tools.toSorted());
  for (const { name, description } of offered) expect(description, name).toMatch(/\b[Uu]se /);
  const size = JSON.stringify(offered).length / 1000;
  const [, promised] = /thirteen tools above take about\s+(\d+) KB/.exec(page) ?? [];
  expect(Math.abs(size - Number(promised))).toBeLessThan(5);
});

it('finds leads with filters, and counts them', async () => {
  const lead = leadInput({ company: 'Agents and Sons', metadata: { plan: 'gold' } });
  const { body } = await client.post('/leads', lead).expect(201);
  const found = await agent.call('list-leads', {
    company: 'Agents and Sons',
    status: ['new', 'contacted'],
    metadata: { plan: 'gold' },
    fields: ['name'],
  });
  expect(JSON.parse(found.text)).toMatchObject({
    data: [{ id: body.data.id, name: lead.name }],
    meta: { total: 1 },
  });
  const summary = await agent.call('get-analytics-summary', {});
  expect(JSON.parse(summary.text).data.leads_created).toBeGreaterThanOrEqual(1);
});

it('tells the agent what was wrong', async () => {
  const { isError, text } = await agent.call('list-leads', { per_page: 1000 });
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('must be at most 100') });
});

it('has a key that can only read', async () => {
  const reader = app.anonymous.with({ 'X-API-Key': key });
  await reader.post('/leads', leadInput()).expect(403);
  await reader.post('/people/lookup', { email: 'ada@example.com' }).expect(403);
});

/** What the tests read of a result. */
interface Result {
  isError?: boolean;
  content: { text: string }[];
  tools: { name: string; description: string }[];
}

interface Message {
  id?: number;
  result: Result;
  error?: unknown;
}

/** An MCP client over standard input and output: JSON-RPC 2.0, one message on a line. */
class Agent {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting = new Map<number, (message: Message) => void>();

  constructor(program: string, options: readonly string[], env: Record<string, string | undefined>) {
    this.#process = spawn(process.execPath, [program, ...options], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface(this.#process.stdout).on('line', (line) => {
      const message: Message = JSON.parse(line);
      if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
    });
  }

  async request(method: string, params: object = {}): Promise<Result> {
    const id = this.#waiting.size;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.#process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const { result, error } = await answered;
    expect(error).toBeUndefined();
    return result;
  }

  async call(name: string, parameters: object): Promise<{ isError?: boolean; text: string }> {
    const { isError, content } = await this.request('tools/call', { name, arguments: parameters });
    return { isError, text: content.map(({ text }) => text).join('\n') };
  }

  stop(): void {
    this.#process.kill();
  }
}
