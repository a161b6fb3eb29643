import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { replaceSigningKey } from '../../src/clients/operator.ts';
import { type Receiver, startReceiver } from '../support/deliveries.ts';
import { type Journey, journey } from '../support/journey.ts';
import {
  asOperator,
  call,
  cleanUp,
  type External,
  externalDatabases,
  type RunningServer,
  startServer,
  unlimited,
} from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

interface Service extends Journey {
  external: External;
  server: RunningServer;
}

let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});

afterAll(async () => {
  await cleanUp();
  await receiver.close();
});

async function start(poolSize: number): Promise<Service> {
  const external = await externalDatabases();
  const server = await startServer({
    ...external.env,
    ...unlimited,
    DATABASE_POOL_SIZE: String(poolSize),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  return { url: server.url, credentials: external.credentials, external, server, receiver };
}

async function rotate({ external }: Service): Promise<void> {
  const { DATABASE_URL, SECRET_KEY } = external.env;
  await asOperator(DATABASE_URL, (place) => replaceSigningKey(place, [Buffer.from(SECRET_KEY, 'base64')]));
}

/** The statuses of this many concurrent token requests. */
async function askForTokens({ external, server }: Service, count: number): Promise<number[]> {
  const body = { grant_type: 'client_credentials', ...external.credentials };
  const asked = Array.from({ length: count }, () => call('', 'POST', `${server.url}/v1/auth/token`, body));
  return (await Promise.all(asked)).map(({ status }) => status);
}

describe.each([1, 10])('with a pool of %i', (size) => {
  let service: Service;

  beforeAll(async () => {
    service = await start(size);
  });

  it('one client, and several concurrent ones, complete the whole journey', async () => {
    await journey(service);
    await Promise.all([1, 2, 3].map(() => journey(service)));
  });

  it('40 concurrent token requests succeed right after a rotation of signing keys', async () => {
    for (let round = 0; round < 3; round += 1) {
      await rotate(service);
      expect(await askForTokens(service, 40)).toEqual(Array(40).fill(200));
    }
  });

  it('the process stops on a signal', async () => {
    expect(await service.server.stop()).toBe(0);
  });
});
