import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { uniqueEmail } from '../support/factories.ts';

interface Request {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
}
type Languages = Record<'toJavaScript' | 'toPython', (request: Request) => string>;

const run = promisify(execFile);
/** Text that a shell, JavaScript and Python each treat differently. */
const NAME = 'Ada "O\'Brien" $HOME `id` \\n $(id) %s 😀 é';

describe('the code that the docs page shows', () => {
  let languages: Languages;
  let app: TestApp;
  let client: TestClient;
  let headers: Record<string, string>;

  beforeAll(async () => {
    const file = new URL('../../src/pages/docs-page/snippet-languages.js', import.meta.url).href;
    languages = await import(file);
    app = await startTestApp();
    client = await app.client();
    const credentials = await app.credentials();
    const { body } = await app.anonymous
      .post('/auth/token', { grant_type: 'client_credentials', ...credentials })
      .expect(200);
    headers = { Authorization: `Bearer ${body.access_token}`, 'Content-Type': 'application/json' };
  });

  afterAll(() => app.close());

  it('sends the request unchanged', async () => {
    const email = uniqueEmail();
    const body = JSON.stringify({ name: NAME, email, tags: [], metadata: { plan: 'a\nb' } }, null, 2);
    const stdout = await runJavaScript({ method: 'POST', url: `${app.url}/v1/leads`, headers, body });
    expect(stdout).toContain(email);
    const { body: list } = await client.get(`/leads?email=${encodeURIComponent(email)}`).expect(200);
    expect(list.data).toEqual([
      expect.objectContaining({ name: NAME, tags: [], metadata: { plan: 'a\nb' } }),
    ]);
  });

  it('sends no body if the request has none', async () => {
    const url = `${app.url}/v1/leads?search=${encodeURIComponent("O'Brien [a]")}&per_page=1`;
    const { Authorization = '' } = headers;
    expect(await runJavaScript({ method: 'GET', url, headers: { Authorization } })).toContain('"per_page":1');
  });

  async function runJavaScript(request: Request): Promise<string> {
    const code = languages.toJavaScript(request);
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code]);
    return stdout;
  }

  it('is Python for the requests library', () => {
    const body = JSON.stringify({ name: NAME, vip: true, tags: ['a', null], metadata: {}, score: 1.5 });
    const request = { method: 'PATCH', url: 'https://api.test/v1/leads/1', headers: {}, body };
    const json = { ...request, headers: { 'content-type': 'application/merge-patch+json' } };
    expect(languages.toPython(json)).toBe(
      [
        'import requests',
        '',
        'response = requests.patch(',
        '    "https://api.test/v1/leads/1",',
        '    headers={',
        '        "content-type": "application/merge-patch+json",',
        '    },',
        '    json={',
        `        "name": ${JSON.stringify(NAME)},`,
        '        "vip": True,',
        '        "tags": [',
        '            "a",',
        '            None,',
        '        ],',
        '        "metadata": {},',
        '        "score": 1.5,',
        '    },',
        ')',
        'print(response.status_code, response.text)',
      ].join('\n'),
    );
    const form = {
      ...request,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'a=1&b=2',
    };
    expect(languages.toPython(form)).toContain('\n    data="a=1&b=2".encode(),\n');
  });

  it('does not change a body that claims to be JSON but is not', () => {
    const request = { method: 'POST', url: 'https://api.test/', headers, body: '{"name": ' };
    expect(languages.toJavaScript(request)).toContain('  body: "{\\"name\\": ",\n');
  });
});
