import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSender } from '../../../src/deliveries/send.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { certificate, privateKey } from '../../support/certificate.ts';
import type { TestClient } from '../../support/client.ts';
import {
  addBacklog,
  addWebhook,
  deliveriesOf,
  startReceiver,
  startTestWorker,
  until,
} from '../../support/deliveries.ts';
import { createLead } from '../../support/factories.ts';

/** For receivers that never answer (milliseconds). */
const TIMEOUT = 400;

let app: TestApp;
let client: TestClient;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await app.production.db.raw('delete from webhooks; delete from pgboss.job');
});

afterAll(() => app.close());

function closing<T extends { close(): Promise<unknown> }>(one: T): T {
  closers.push(() => one.close());
  return one;
}

async function startWorker(timeout?: number): Promise<void> {
  const worker = await startTestWorker(app, createSender({ allowPrivate: true }, { timeout }));
  closers.push(() => worker.stop(1_000));
}

/** Delivers one event to the address, and gives its only attempt. */
async function attemptAt(url: string, timeout?: number) {
  const id = await addWebhook(app.production.db, app.secretKey, url);
  await startWorker(timeout);
  await createLead(client);
  const [delivery] = await until(async () => {
    const deliveries = await deliveriesOf(app.production.db, id);
    return deliveries[0]?.attempt_count === 1 ? deliveries : undefined;
  });
  return { status: delivery?.status, ...delivery?.attempts[0] };
}

/** A server that says these bytes, as they are, whatever it is asked. */
async function startRaw(speak: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    speak(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function keepWriting(res: ServerResponse, chunk: string, every: number): void {
  const timer = setInterval(() => res.write(chunk), every);
  res.on('close', () => clearInterval(timer));
}

const tooLate = {
  status: 'pending',
  status_code: null,
  error: `No complete response within ${TIMEOUT / 1000} seconds.`,
};

describe('a receiver that', () => {
  it('is down', async () => {
    const receiver = await startReceiver();
    await receiver.close();
    expect(await attemptAt(receiver.url)).toMatchObject({
      status: 'pending',
      status_code: null,
      error: 'The connection was refused.',
    });
  });

  it('accepts and says nothing', async () => {
    expect(await attemptAt(await startRaw(() => {}), TIMEOUT)).toMatchObject(tooLate);
  });

  it('answers without end, a byte now and then', async () => {
    const receiver = closing(
      await startReceiver((_, res) => {
        res.writeHead(200);
        keepWriting(res, '.', 20);
      }),
    );
    expect(await attemptAt(receiver.url, TIMEOUT)).toMatchObject(tooLate);
  });

  it('sends headers without end', async () => {
    const url = await startRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('X-More: more\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await attemptAt(url, TIMEOUT)).toMatchObject(tooLate);
  });

  it('answers without end, as fast as it can: its status counts, and no more than 64 KiB are read', async () => {
    let written = 0;
    const receiver = closing(
      await startReceiver((_, res) => {
        res.writeHead(200);
        const pour = () => {
          while (!res.destroyed && res.write('x'.repeat(4096))) written += 4096;
        };
        res.on('drain', pour);
        pour();
      }),
    );
    expect(await attemptAt(receiver.url)).toMatchObject({
      status: 'succeeded',
      status_code: 200,
      response_body: 'x'.repeat(2048),
    });
    // What the kernel's buffers hold was sent, but not read.
    expect(written).toBeLessThan(8 * 2 ** 20);
  });

  it('has a certificate that nobody has signed', async () => {
    const receiver = closing(
      await startReceiver(undefined, (listener) =>
        createTlsServer({ cert: certificate, key: privateKey }, listener),
      ),
    );
    expect(await attemptAt(receiver.url.replace('http:', 'https:'))).toMatchObject({
      status: 'pending',
      status_code: null,
      error: 'self-signed certificate',
    });
    expect(receiver.received).toEqual([]);
  });

  it('speaks no TLS', async () => {
    const receiver = closing(await startReceiver());
    const attempt = await attemptAt(receiver.url.replace('http:', 'https:'));
    expect(attempt).toMatchObject({ status: 'pending', status_code: null, error: expect.any(String) });
  });

  it('speaks no HTTP', async () => {
    const url = await startRaw((socket) => socket.end('220 mail.example.com ESMTP\r\n'));
    expect(await attemptAt(url)).toMatchObject({
      status: 'pending',
      status_code: null,
      error: expect.any(String),
    });
  });

  it('hangs up in the middle of its answer', async () => {
    const url = await startRaw((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
    );
    expect(await attemptAt(url)).toMatchObject({
      status: 'pending',
      status_code: null,
      error: 'The connection was closed before a response arrived.',
    });
  });

  it('closes an idle connection at the moment of its reuse', async () => {
    let requests = 0;
    const url = await startRaw((socket) => {
      let isFirst = true;
      socket.on('data', (data) => {
        if (!String(data).startsWith('POST')) return;
        requests += 1;
        if (isFirst) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
        else socket.destroy();
        isFirst = false;
      });
    });
    const id = await addWebhook(app.production.db, app.secretKey, url);
    await startWorker();
    for (const count of [1, 2]) {
      await createLead(client);
      await until(async () => {
        const deliveries = await deliveriesOf(app.production.db, id);
        return deliveries.filter(({ attempt_count }) => attempt_count === 1).length === count;
      });
    }
    const succeeded = { status: 'succeeded' };
    expect(await deliveriesOf(app.production.db, id)).toMatchObject([succeeded, succeeded]);
    expect(requests).toBe(3);
  });
});

describe('several webhooks', () => {
  it("don't wait for one that is slow, with tens of thousands of deliveries before them", async () => {
    const { db } = app.production;
    const held: ServerResponse[] = [];
    let isSlow = true;
    const slow = closing(
      await startReceiver((_, res) => void (isSlow ? held.push(res) : res.writeHead(204).end())),
    );
    const fast = closing(await startReceiver());
    await addWebhook(db, app.secretKey, slow.url);
    await createLead(client);
    await addBacklog(db, 20_000);
    await addWebhook(db, app.secretKey, fast.url);
    await startWorker();
    await until(() => held.length > 0);
    const startedAt = performance.now();
    for (let count = 1; count <= 10; count += 1) {
      await createLead(client);
      await until(() => fast.received.length === count);
    }
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(slow.received).toHaveLength(held.length);
    isSlow = false;
    for (const res of held) res.writeHead(204).end();
    await until(() => slow.received.length > 1_000);
    expect(new Set(slow.received.map(({ event }) => event.id)).size).toBe(slow.received.length);
  });
});

describe('two workers', () => {
  it('deliver every event once to each webhook', async () => {
    const receiver = closing(await startReceiver());
    for (const path of ['/a', '/b']) await addWebhook(app.production.db, app.secretKey, receiver.url + path);
    await startWorker();
    await startWorker();
    await Promise.all(Array.from({ length: 100 }, () => createLead(client)));
    await until(() => receiver.received.length >= 200);
    await until(async () => (await app.production.db.raw('select from pgboss.job')).rows.length === 0);
    const sent = receiver.received.map(({ path, event }) => path + event.id);
    expect(new Set(sent).size).toBe(200);
    expect(sent).toHaveLength(200);
  });
});
