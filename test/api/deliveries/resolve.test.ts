import { pbkdf2 } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLookup } from '../../../src/deliveries/lookup.ts';
import { createResolve, type ResolveOptions } from '../../../src/deliveries/resolve.ts';
import { createSender } from '../../../src/deliveries/send.ts';
import { type Receiver, startReceiver } from '../../support/deliveries.ts';
import { type NameServer, startNameServer } from '../../support/name-server.ts';

let receiver: Receiver;
let nameServer: NameServer;
let folder: string;

beforeAll(async () => {
  receiver = await startReceiver();
  nameServer = await startNameServer({
    'hooks.example.com': ['127.0.0.1'],
    'two.example.com': ['8.8.8.8', '9.9.9.9'],
    'mixed.example.com': ['8.8.8.8', '10.0.0.1'],
    'v6only.example.com': [],
  });
  folder = mkdtempSync(join(tmpdir(), 'hosts-'));
});

afterAll(async () => {
  await receiver.close();
  await nameServer.close();
  rmSync(folder, { recursive: true });
});

function resolver(options: ResolveOptions = {}) {
  return createResolve({ servers: [nameServer.address], ...options });
}

function senderWith(options: ResolveOptions = {}) {
  const rules = { allowPrivate: true };
  return createSender(rules, { lookup: createLookup(rules, resolver(options)) });
}

describe('name servers that hang', () => {
  it('delay no delivery to another name, however many they are', async () => {
    const sender = senderWith({ timeout: 1_000 });
    const { port } = new URL(receiver.url);
    const hanging = Array.from({ length: 40 }, (_, n) =>
      sender.post(`http://hang${n}.example.com`, {}, '{}'),
    );
    let hung = hanging.length;
    for (const one of hanging) void one.then(() => (hung -= 1));
    expect(await sender.post(`http://hooks.example.com:${port}/`, {}, '{}')).toMatchObject({
      statusCode: 204,
    });
    expect(hung).toBe(40);
    for (const { statusCode, error } of await Promise.all(hanging)) {
      expect({ statusCode, error }).toEqual({
        statusCode: null,
        error: 'The host name could not be resolved.',
      });
    }
    sender.close();
  });

  it('are aborted after a while', async () => {
    const start = performance.now();
    await expect(resolver({ timeout: 200 })('hang.example.com')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
    expect(performance.now() - start).toBeLessThan(1_400);
  });
});

describe('a name', () => {
  it('is looked up though other work takes all threads', async () => {
    let busy = 4;
    const working = Array.from(
      { length: busy },
      () =>
        new Promise<void>((resolve) =>
          pbkdf2('', '', 600_000, 64, 'sha512', () => {
            busy -= 1;
            resolve();
          }),
        ),
    );
    expect(await resolver()('hooks.example.com')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(busy).toBe(4);
    await Promise.all(working);
  });

  it('means all of its addresses, each of which must be allowed', async () => {
    expect(await resolver()('two.example.com.')).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '9.9.9.9', family: 4 },
    ]);
    const lookup = createLookup({ allowPrivate: false }, resolver());
    const error = await new Promise((resolve) => lookup('mixed.example.com', { all: true }, resolve));
    expect(error).toMatchObject({ name: 'ForbiddenAddress' });
  });

  it.each(['unknown.example.com', 'v6only.example.com'])('without any, as %s, is told so', async (name) => {
    await expect(resolver()(name)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    const answer = await senderWith().post(`http://${name}`, {}, '{}');
    expect(answer.error).toBe('The host name has no address.');
  });

  it('that nobody can be asked for is not told to be refused by the receiver', async () => {
    const gone = await startNameServer();
    await gone.close();
    const answer = await senderWith({ servers: [gone.address] }).post('http://hooks.example.com', {}, '{}');
    expect(answer.error).toBe('The host name could not be resolved.');
  });

  it('is looked up in the hosts file without regard to case', async () => {
    const hostsFile = join(folder, 'hosts');
    writeFileSync(
      hostsFile,
      '# 10.9.9.9 hooks.test\n10.1.2.3 Hooks.Test other.test # one\nfd00::1\thooks.test\n',
    );
    const resolve = resolver({ hostsFile });
    expect(await resolve('HOOKS.test')).toEqual([
      { address: '10.1.2.3', family: 4 },
      { address: 'fd00::1', family: 6 },
    ]);
    const lookup = createLookup({ allowPrivate: false }, resolve);
    const error = await new Promise((done) => lookup('other.test', { all: true }, done));
    expect(error).toMatchObject({ name: 'ForbiddenAddress' });
  });

  it.each(['localhost', 'api.localhost'])('%s is this machine, and no name server is asked', async (name) => {
    const hostsFile = join(folder, 'none');
    const before = nameServer.asked.length;
    expect(await resolver({ hostsFile })(name)).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    expect(nameServer.asked).toHaveLength(before);
  });
});
