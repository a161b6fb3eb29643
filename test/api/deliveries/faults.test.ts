import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSender } from '../../../src/deliveries/send.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { certificate, privateKey } from '../../support/certificate.ts';
import type { TestClient } from '../../support/client.ts';
import {
  deliveriesOf,
  startReceiver,
  startTestWorker,
  subscribe,
  unsubscribe,
  until,
} from '../../support/deliveries.ts';
import { createLead } from '../../support/factories.ts';
import { startRawReceiver } from '../../support/raw-receiver.ts';

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
  await unsubscribe(client);
});

afterAll(() => app.close());

function closing<T extends { close(): Promise<unknown> }>(one: T): T {
  closers.push(() => one.close());
  return one;
}

function startWorker(timeout?: number): void {
  const worker = startTestWorker(app, { sender: createSender({ allowPrivate: true }, { timeout }) });
  closers.push(() => worker.stop(1_000));
}

/** Delivers one event to the address, and gives its only attempt. */
async function attemptAt(url: string, timeout?: number) {
  const { id } = await subscribe(client, url);
  startWorker(timeout);
  await createLead(client);
  const [delivery] = await until(async () => {
    const deliveries = await deliveriesOf(client, id);
    return deliveries[0]?.attempt_count === 1 ? deliveries : undefined;
  });
  return { status: delivery?.status, ...delivery?.attempts[0] };
}

async function startRaw(speak: (socket: Socket) => void): Promise<string> {
  return closing(await startRawReceiver(speak)).url;
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

  it('answers endlessly: its status counts, and at most 64 KiB are read', async () => {
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

  it('switches to another protocol', async () => {
    const url = await startRaw((socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
      ),
    );
    expect(await attemptAt(url)).toMatchObject({
      status: 'pending',
      status_code: null,
      error: 'The connection was closed before a response arrived.',
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
    const { id } = await subscribe(client, url);
    startWorker();
    for (const count of [1, 2]) {
      await createLead(client);
      await until(async () => {
        const deliveries = await deliveriesOf(client, id);
        return deliveries.filter(({ attempt_count }) => attempt_count === 1).length === count;
      });
    }
    const succeeded = { status: 'succeeded' };
    expect(await deliveriesOf(client, id)).toMatchObject([succeeded, succeeded]);
    expect(requests).toBe(3);
  });
});
