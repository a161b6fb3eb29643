import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { freePort } from '../../../src/process/free-port.ts';
import { openChapter } from '../../support/chapter.ts';
import { expectRefusal, expectSuccess, Operator } from '../../support/operator.ts';

vi.setConfig({ testTimeout: 240_000 });

const chapter = openChapter('docs/observability.md');
const [metrics, scrape] = [chapter.block('Metrics'), chapter.block('Metrics', 1)];
const traces = chapter.block('Traces');

let operator: Operator;

// The process of the service differs in nothing on another PostgreSQL.
beforeEach(async () => {
  operator = await Operator.at('the embedded PostgreSQL');
});

afterEach(() => operator.leave());

it('the service shows its metrics, and a second start beside it changes nothing and says why', async () => {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const onPort = (text: string) => text.replaceAll('9464', String(metricsPort));
  const env = { PORT: String(port) };
  expect(await operator.paste(onPort(scrape))).toMatchObject({ status: 7, changes: [] });
  const whileRunning = async () => {
    const isReady = () => operator.run(`curl -fs http://127.0.0.1:${port}/readyz`);
    await expect.poll(isReady, { timeout: 60_000 }).toMatchObject({ status: 0 });
    const shown = await operator.run(onPort(scrape));
    expect(shown.stdout).toContain('lead_pipeline_build_info{');
    const second = await operator.paste(onPort(metrics), { env });
    expectRefusal(second, new RegExp(`\\b(${metricsPort}|${port})\\b`));
    expectSuccess(await operator.run(onPort(scrape)));
  };
  const ended = await operator.run(onPort(metrics), {
    env,
    interrupt: { signal: 'SIGINT', when: whileRunning },
  });
  expect(ended.status).toBe(130);
});

it('the service starts with traces although no collector is there, and Ctrl-C ends it', async () => {
  const ended = await operator.run(traces, {
    env: { PORT: String(await freePort()) },
    interrupt: { signal: 'SIGINT', when: /\/docs\n/ },
  });
  expect(ended.status).toBe(130);
  expect(ended.stderr).not.toContain('"level":50');
});

it('in another folder nothing starts', async () => {
  for (const block of [metrics, traces])
    expectRefusal(await operator.paste(block, { cwd: operator.home }), /package\.json/);
});
