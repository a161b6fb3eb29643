import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BehindNetwork, startBehindNetwork } from '../../support/behind-network.ts';
import { expectKept, RECOVERY, startLoad, TRUST } from '../../support/load.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** One for each of the outages that happen at the same time. */
let services: [BehindNetwork, BehindNetwork];

beforeAll(async () => {
  services = await Promise.all([startBehindNetwork(), startBehindNetwork()]);
});

afterAll(async () => {
  for (const service of services) await service.close();
});

describe.concurrent('when the network swallows all that the open connections carry', () => {
  it('under load, requests are answered, and 17 s later all is well', { concurrent: false }, async () => {
    const { network, server, token, expectBackground } = services[0];
    const load = startLoad(server.url, token);
    await sleep(1_000);
    network.freeze();
    const well = performance.now() + RECOVERY;
    await load.seen(well);
    await load.stop();
    expect(load.answers.some(({ status }) => status === 503)).toBe(true);
    expectKept(load, well);
    await expectBackground();
  });

  it('while nobody asks, the first ones who do are served', { concurrent: false }, async () => {
    const { network, server, token, expectBackground } = services[0];
    await sleep(2_000);
    network.freeze();
    await sleep(RECOVERY);
    const began = performance.now();
    const load = startLoad(server.url, token);
    await load.seen(began);
    await load.stop();
    expectKept(load, began);
    await expectBackground();
  });
});

it.concurrent('when the network swallows what new connections carry as well, requests are told 503, the service is not ready, and 17 s after it ends all is well', async () => {
  const { network, server, token, expectBackground } = services[1];
  const load = startLoad(server.url, token);
  await sleep(1_000);
  network.freezeNew(true);
  network.freeze();
  const frozen = performance.now();
  await sleep(20_000);
  network.freezeNew(false);
  const released = performance.now();
  const well = released + RECOVERY;
  await load.seen(well);
  await load.stop();
  expectKept(load, well);
  const meanwhile = load.answers.filter(({ at, ms }) => at > frozen + TRUST && at + ms < released);
  expect(meanwhile.filter(({ status }) => status < 300)).toEqual([]);
  expect(meanwhile.filter(({ what }) => what === 'readyz').length).toBeGreaterThan(5);
  await expectBackground();
});

it('the services have lived through all of it, and end', async () => {
  expect(await Promise.all(services.map(({ server }) => server.stop()))).toEqual([0, 0]);
});
