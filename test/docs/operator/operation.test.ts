/** The blocks of docs/operation.md, as they stand and with slips. None of them destroys anything. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openChapter } from '../../support/chapter.ts';
import { expectRefusal, expectSuccess, missingAt, Operator, places } from '../../support/operator.ts';
import { cleanUp, startServer } from '../../support/process.ts';

vi.setConfig({ testTimeout: 240_000 });

const chapter = openChapter('docs/operation.md');
const createClient = chapter.block('The first credentials');
const health = chapter.block('Health');
const retention = chapter.block('Old data');

let operator: Operator;

afterEach(async () => {
  await cleanUp();
  await operator?.leave();
});

describe.each(places)('on %s', (place) => {
  it('the blocks work while the service runs, and pasted twice they add what they say', async ({ skip }) => {
    const reason = missingAt(place);
    if (reason !== undefined) skip(reason);
    operator = await Operator.at(place);
    const server = await startServer({ ...operator.env, DATA_DIR: operator.dataDir });
    const env = { API: `${server.url}/sandbox/v1` };
    // A busy machine may need more than the two seconds that /readyz has.
    await vi.waitFor(
      async () => {
        const { stdout } = await operator.run(health, { env });
        expect(stdout).toBe('{"status":"ok"}\n{"status":"ok","sandbox":"ok"}\n');
      },
      { timeout: 60_000 },
    );
    expectSuccess(await operator.run(retention));
    expectSuccess(await operator.run(createClient, { times: 2 }));
    const clients = await operator.sql(
      'production',
      "select scopes from api_clients where name = 'Platform team'",
    );
    expect(clients).toEqual([{ scopes: ['admin'] }, { scopes: ['admin'] }]);
    await server.stop();
  });

  it('the blocks change nothing in the wrong folder or without variables', async ({ skip }) => {
    const reason = missingAt(place);
    if (reason !== undefined) skip(reason);
    operator = await Operator.at(place);
    for (const block of [createClient, retention])
      expectRefusal(await operator.paste(block, { cwd: operator.home }), /bin\/lead-pipeline: not found/);
    const lost = { DATA_DIR: '/tmp/misspelt', DATABASE_URL: '', SANDBOX_DATABASE_URL: '', SECRET_KEY: '' };
    for (const block of [createClient, retention])
      expectRefusal(await operator.paste(block, { env: lost }), /There is no database in \/tmp\/misspelt/);
    const { status, changes } = await operator.paste(health);
    expect([status === 0, changes]).toEqual([false, []]);
  });
});
