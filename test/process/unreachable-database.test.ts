import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type BehindNetwork, startBehindNetwork } from '../support/behind-network.ts';
import { expectKept, MEASURED, RECOVERY, startLoad, TRUST } from '../support/load.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let service: BehindNetwork;

beforeAll(async () => {
  service = await startBehindNetwork();
});

afterAll(() => service.close());

it('when the network swallows what new connections carry as well, requests are told 503, the service is not ready, and 10 s after it ends all is well', async () => {
  const { network, server, token, expectBackground } = service;
  const load = startLoad(server.url, token);
  await sleep(1_000);
  network.freezeNew(true);
  network.freeze();
  const frozen = performance.now();
  await sleep(20_000);
  network.freezeNew(false);
  const released = performance.now();
  await sleep(RECOVERY + MEASURED);
  await load.stop();
  expectKept(load, released + RECOVERY);
  const meanwhile = load.answers.filter(({ at, ms }) => at > frozen + TRUST && at + ms < released);
  expect(meanwhile.filter(({ status }) => status < 300)).toEqual([]);
  expect(meanwhile.filter(({ what }) => what === 'readyz').length).toBeGreaterThan(5);
  await expectBackground();
});

it('the service has lived through it, and ends', async () => {
  expect(await service.server.stop()).toBe(0);
});
