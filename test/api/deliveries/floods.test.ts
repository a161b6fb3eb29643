/** Receivers that send endlessly, in forms that are expensive to read. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSender } from '../../../src/deliveries/send.ts';
import { freePort } from '../../../src/process/free-port.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { certificate, privateKey } from '../../support/certificate.ts';
import type { TestClient } from '../../support/client.ts';
import { deliveriesOf, startTestWorker, subscribe, unsubscribe, until } from '../../support/deliveries.ts';
import { createLead } from '../../support/factories.ts';
import { missing, Program } from '../../support/programs.ts';
import { startRawReceiver } from '../../support/raw-receiver.ts';

/** Bytes that sockets may hold on both sides, without anyone having read them. */
const IN_BUFFERS = 8 * 2 ** 20;

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

/** The only attempt at a receiver that sends `head` once and then `endless` forever, which must not be read forever. */
async function attemptAt(head: string, endless: string) {
  const receiver = await startRawReceiver((_, pour) => pour(head, endless));
  closers.push(() => receiver.close());
  const { id } = await subscribe(client, receiver.url);
  const worker = startTestWorker(app);
  closers.push(() => worker.stop(1_000));
  await createLead(client);
  const [delivery] = await until(async () => {
    const deliveries = await deliveriesOf(client, id);
    return deliveries[0]?.attempt_count === 1 ? deliveries : undefined;
  }, 12);
  expect(receiver.poured).toBeLessThan(IN_BUFFERS);
  return { status: delivery?.status, ...delivery?.attempts[0] };
}

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

describe('a receiver that sends without end', () => {
  it.each([
    ['the smallest ones', 'HTTP/1.1 103 \r\n\r\n'],
    ['with headers', `HTTP/1.1 103 Early Hints\r\nLink: <${'x'.repeat(2_000)}>\r\n\r\n`],
    ['of another kind', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ])('interim responses, %s', async (_, interim) => {
    expect(await attemptAt('', interim)).toMatchObject({
      status: 'pending',
      status_code: null,
      error: 'More than 10 interim responses (1xx) arrived before the final one.',
    });
  });

  it('interim responses that are longer than a response may be', async () => {
    const interim = `HTTP/1.1 103 Early Hints\r\nLink: <${'x'.repeat(8_000)}>\r\n\r\n`;
    expect(await attemptAt('', interim)).toMatchObject({
      status: 'pending',
      status_code: null,
      error: 'The response is longer than 64 KiB, headers included.',
    });
  });

  it.each([
    ['headers', OK, 'X-More: more\r\n'],
    ['one header', `${OK}X-More: `, 'more'],
    ['a status line', 'HTTP/1.1 200 ', 'OK'],
  ])('%s', async (_, head, endless) => {
    expect(await attemptAt(head, endless)).toMatchObject({
      status: 'pending',
      status_code: null,
      error: expect.any(String),
    });
  });

  it.each([
    ['chunks of one byte', '1\r\nx\r\n', /^x{1000,2048}$/],
    ['chunk extensions', `1;${'e'.repeat(15_000)}\r\nx\r\n`, /^x{1,5}$/],
    ['chunk sizes with many zeros', `${'0'.repeat(3_000)}1\r\nx\r\n`, /^x{1,22}$/],
  ])('%s: the status counts', async (_, chunk, body) => {
    expect(await attemptAt(CHUNKED, chunk)).toMatchObject({
      status: 'succeeded',
      status_code: 200,
      response_body: expect.stringMatching(body),
    });
  });

  it('trailers', async () => {
    const attempt = await attemptAt(`${CHUNKED}1\r\nx\r\n0\r\n`, 'X-More: more\r\n');
    expect(attempt.duration_ms).toBeLessThan(10_000);
  });

  it('one response after another', async () => {
    const response = `${OK}Content-Length: 0\r\n\r\n`;
    expect(await attemptAt(response, response)).toMatchObject({ status: 'succeeded', status_code: 200 });
  });
});

const skipped = missing('openssl');

describe(`a receiver that sends thousands of TLS session tickets${skipped ? ` (${skipped})` : ''}`, () => {
  it.skipIf(skipped)('is cut off', async () => {
    const trusted = getCACertificates('default');
    setDefaultCACertificates([certificate]);
    const port = await freePort();
    const program = new Program('openssl', port);
    closers.push(async () => {
      setDefaultCACertificates(trusted);
      await program.close();
    });
    writeFileSync(`${program.folder}/both.pem`, `${certificate}\n${privateKey}\n`);
    const flags = ['-quiet', '-cert', 'both.pem', '-num_tickets', '5000', '-naccept', '10'];
    await program.start(['s_server', '-accept', `127.0.0.1:${port}`, ...flags]);
    const sender = createSender({ allowPrivate: true }, { timeout: 5_000 });
    closers.push(async () => sender.close());
    expect(await sender.post(`https://127.0.0.1:${port}/`, {}, '{}')).toMatchObject({
      statusCode: null,
      error: 'The server sent more than 20 TLS session tickets.',
    });
  });
});

describe('two hundred of them', () => {
  const receive = `
    const block = Buffer.from(process.argv[2].repeat(20_000));
    require('node:net').createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(process.argv[1]);
        const pour = () => { while (!socket.destroyed && socket.write(block)); };
        socket.on('drain', pour);
        pour();
      });
    }).listen(0, '127.0.0.1', function () { process.send(this.address().port); });`;

  it.each([
    ['interim responses', '', 'HTTP/1.1 103 \r\n\r\n'],
    ['chunks of one byte', CHUNKED, '1\r\nx\r\n'],
  ])('cost the process little when they send %s', async (_, head, endless) => {
    const receiver = fork('-e', [], { execArgv: ['-e', receive, head, endless] });
    closers.push(async () => receiver.kill() && (await once(receiver, 'exit')));
    const [port] = await once(receiver, 'message');
    const sender = createSender({ allowPrivate: true });
    closers.push(async () => sender.close());
    const before = process.cpuUsage();
    await Promise.all(Array.from({ length: 200 }, () => sender.post(`http://127.0.0.1:${port}/`, {}, '{}')));
    const { user, system } = process.cpuUsage(before);
    // Some milliseconds for each. All of them may answer at the same moment.
    expect((user + system) / 1_000_000).toBeLessThan(3);
  });
});
