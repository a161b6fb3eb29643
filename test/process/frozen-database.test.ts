import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BehindNetwork, startBehindNetwork } from '../support/behind-network.ts';
import { expectKept, MEASURED, RECOVERY, startLoad } from '../support/load.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let service: BehindNetwork;

beforeAll(async () => {
  service = await startBehindNetwork();
});

afterAll(() => service.close());

describe('when the network swallows all that the open connections carry', () => {
  it('under load, requests are answered, and 10 s later all is well', async () => {
    const { network, server, token, expectBackground } = service;
    const load = startLoad(server.url, token);
    await sleep(1_000);
    network.freeze();
    const well = performance.now() + RECOVERY;
    await sleep(RECOVERY + MEASURED);
    await load.stop();
    expect(load.answers.some(({ status }) => status === 503)).toBe(true);
    expectKept(load, well);
    await expectBackground();
  });

  it('while nobody asks, the first ones who do are served', async () => {
    const { network, server, token, expectBackground } = service;
    await sleep(2_000);
    network.freeze();
    await sleep(RECOVERY);
    const began = performance.now();
    const load = startLoad(server.url, token);
    await sleep(MEASURED);
    await load.stop();
    expectKept(load, began);
    await expectBackground();
  });
});

it('the service has lived through all of it, and ends', async () => {
  expect(await service.server.stop()).toBe(0);
});
