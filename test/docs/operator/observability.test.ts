import { afterEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../src/process/free-port.ts';
import { openChapter } from '../../support/chapter.ts';
import { expectRefusal, expectSuccess, missingAt, Operator, places } from '../../support/operator.ts';

vi.setConfig({ testTimeout: 240_000 });

const chapter = openChapter('docs/observability.md');
const [metrics, scrape] = [chapter.block('Metrics'), chapter.block('Metrics', 1)];
const traces = chapter.block('Traces');

const signals = [
  ['SIGINT', 130],
  ['SIGKILL', 137],
] as const;

describe.each(places)('on %s', (place) => {
  let operator: Operator | undefined;

  const open = async (skip: (reason?: string) => void): Promise<Operator> => {
    const reason = missingAt(place);
    if (reason !== undefined) skip(reason);
    operator = await Operator.at(place);
    return operator;
  };

  afterEach(async () => {
    await operator?.leave();
    operator = undefined;
  });

  it.for(signals)(
    'the service shows its metrics, a second start beside it says why not, and it starts again after %s',
    async ([signal, status], { skip }) => {
      const at = await open(skip);
      const [port, metricsPort] = [await freePort(), await freePort()];
      const onPort = (text: string) => text.replaceAll('9464', String(metricsPort));
      const env = { PORT: String(port) };
      expect(await at.paste(onPort(scrape))).toMatchObject({ status: 7, changes: [] });
      const isReady = async () => {
        const ready = () => at.run(`curl -fs http://127.0.0.1:${port}/readyz`);
        await expect.poll(ready, { timeout: 60_000 }).toMatchObject({ status: 0 });
      };
      const whileRunning = async () => {
        await isReady();
        const shown = await at.run(onPort(scrape));
        expect(shown.stdout).toContain('lead_pipeline_build_info{');
        const second = await at.paste(onPort(metrics), { env });
        expectRefusal(second, new RegExp(`\\b(${metricsPort}|${port})\\b`));
        expectSuccess(await at.run(onPort(scrape)));
      };
      const ended = await at.run(onPort(metrics), { env, interrupt: { signal, when: whileRunning } });
      expect(ended.status).toBe(status);
      const again = await at.run(onPort(metrics), { env, interrupt: { signal: 'SIGINT', when: isReady } });
      expect(again.status).toBe(130);
      expect(await at.sql('production', 'select from leads')).toHaveLength(2);
    },
  );

  it.for(signals)(
    'the service starts with traces although no collector is there, and again after %s',
    async ([signal, status], { skip }) => {
      const at = await open(skip);
      const env = { PORT: String(await freePort()) };
      for (const end of [{ signal, status }, { signal: 'SIGINT', status: 130 } as const]) {
        const interrupt = { signal: end.signal, when: /\/docs\n/ };
        const ended = await at.run(traces, { env, interrupt });
        expect(ended.status).toBe(end.status);
        expect(ended.stderr).not.toContain('"level":50');
      }
    },
  );

  it('in another folder nothing starts', async ({ skip }) => {
    const at = await open(skip);
    for (const block of [metrics, traces])
      expectRefusal(await at.paste(block, { cwd: at.home }), /package\.json/);
  });
});
