/** Runs generated clients, a proxy and a validator with the served documents. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { uniqueEmail } from '../support/factories.ts';
import { generators } from './generators.ts';
import { createWorkshop, execute } from './tools.ts';

const documents = { 'openapi-3.1': '/openapi.json', 'openapi-3.0': '/openapi-3.0.json' };

let app: TestApp;
let workshop: Awaited<ReturnType<typeof createWorkshop>>;
let token: string;

beforeAll(async () => {
  app = await startTestApp();
  workshop = await createWorkshop();
  const credentials = { grant_type: 'client_credentials', ...(await app.credentials()) };
  const { body } = await app.anonymous.post('/auth/token', credentials).expect(200);
  token = body.access_token;
});

afterAll(async () => {
  await app.close();
  await workshop.remove();
});

describe.each(Object.entries(documents))('from %s', (version, path) => {
  it.each(['oazapfts', 'openapi-zod-client'])(
    '%s creates a lead, and finds it with filters',
    async (name) => {
      const { packages = {}, generate } = generators[name] ?? {};
      const folder = await workshop.install(name, packages);
      const output = join(folder, version);
      await mkdir(output);
      const input = await saveDocument(folder, path);
      await generate?.({ folder, input, output });
      expect(await runClient(name, output, input)).toEqual({ found: ['Copper'], others: 0 });
    },
    400_000,
  );

  it('swagger-client sends reserved characters as part of a value', async () => {
    const folder = await workshop.install('swagger-client', { 'swagger-client': '3.37.3' });
    const input = await saveDocument(folder, path);
    expect(await runClient('swagger-client', folder, input)).toEqual({ found: ['Copper'], others: 0 });
  }, 400_000);

  it('Prism as a proxy finds no violations in requests and responses', async () => {
    const folder = await workshop.install('prism', { '@stoplight/prism-cli': '5.14.2' });
    const input = await saveDocument(folder, path);
    const port = await freePort();
    const bin = join(folder, 'node_modules/.bin/prism');
    const prism = spawn(process.execPath, [bin, 'proxy', input, `${app.url}/v1`, '--port', String(port)]);
    try {
      await begins(prism, 'Prism is listening');
      const proxied = new TestClient(`http://127.0.0.1:${port}`).with({ Authorization: `Bearer ${token}` });
      const email = uniqueEmail();
      const lead = { name: 'Copper', email, phone: '+4915112345678', metadata: { plan: 'gold' } };
      const { body, headers } = await proxied.post('/leads', lead).expect(201);
      const answers = [
        headers,
        (await proxied.get(`/leads/${body.data.id}`).expect(200)).headers,
        (await proxied.patch(`/leads/${body.data.id}`, { company: null, status: 'won' }).expect(200)).headers,
        (await proxied.get('/leads?metadata%5Bplan%5D=gold&tag=a%26b&search=x&sort=-name').expect(200))
          .headers,
        (await proxied.get('/leads/export').set('Accept', 'application/x-ndjson').expect(200)).headers,
        (await proxied.get('/events').expect(200)).headers,
        (await proxied.get('/leads/lead_00000000000000000000000000').expect(404)).headers,
        (await proxied.post('/leads', { name: 'Copper', email }).expect(422)).headers,
      ];
      expect(answers.map((answer) => answer['sl-violations'])).toEqual(answers.map(() => undefined));
      const { headers: wrong } = await proxied.post('/leads', { name: 5 }).expect(422);
      expect(wrong['sl-violations']).toContain('must be string');
    } finally {
      prism.kill();
    }
  }, 400_000);
});

const hasPip = await execute('.', 'python3', ['-m', 'pip', '--version']).then(
  () => true,
  () => false,
);
if (!hasPip)
  console.warn('SKIPPED: openapi-spec-validator is not run, because this machine has no Python with pip.');

describe.skipIf(!hasPip)('openapi-spec-validator', () => {
  it('accepts both documents, and rejects broken ones', async () => {
    const folder = join(workshop.root, 'python');
    await mkdir(folder);
    const packages = ['--quiet', '--target', folder, 'openapi-spec-validator==0.9.0'];
    await execute(folder, 'python3', ['-m', 'pip', 'install', ...packages]);
    const validate = (file: string) =>
      execute(folder, 'python3', ['-m', 'openapi_spec_validator', '--validation-errors', 'all', file], {
        PYTHONPATH: folder,
      });
    for (const [version, path] of Object.entries(documents)) {
      const input = await saveDocument(folder, path);
      expect(await validate(input), version).toContain('OK');
      const broken = JSON.stringify({ ...(await documentAt(path)), paths: { '/leads/{id}': { get: {} } } });
      await writeFile(input, broken);
      await expect(validate(input), version).rejects.toThrow(/Error/);
    }
  }, 400_000);
});

/** The document at the path, with the URLs of this service. */
async function documentAt(path: string): Promise<object> {
  const { body } = await new TestClient(app.url).get(path).expect(200);
  return { ...body, servers: [{ url: `${app.url}/v1` }] };
}

async function saveDocument(folder: string, path: string): Promise<string> {
  const file = join(folder, path.slice(1));
  await writeFile(file, JSON.stringify(await documentAt(path)));
  return file;
}

/** Runs the program of this name in `clients/` beside the client, and returns what it prints. */
async function runClient(name: string, folder: string, input: string): Promise<unknown> {
  const program = join(folder, 'program.mjs');
  await cp(join(import.meta.dirname, 'clients', `${name}.mjs`), program);
  const start = { baseUrl: `${app.url}/v1`, token, email: uniqueEmail(), input };
  return JSON.parse(await execute(folder, process.execPath, [program], { START: JSON.stringify(start) }));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until the process has printed the text. */
function begins({ stdout, stderr }: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [stdout, stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
        if (output.includes(text)) resolve();
      });
    }
    stdout?.once('close', () => reject(new Error(output)));
  });
}
