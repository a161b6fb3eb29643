import { lookup } from 'node:dns/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLookup } from '../../../src/deliveries/lookup.ts';
import { createSender, type Sender } from '../../../src/deliveries/send.ts';
import { checkUrl, targetRulesIn } from '../../../src/webhooks/target.ts';
import { type Receiver, startReceiver } from '../../support/deliveries.ts';

const rules = { allowPrivate: false };

let receiver: Receiver;
let port: string;

beforeAll(async () => {
  receiver = await startReceiver();
  port = new URL(receiver.url).port;
});

beforeEach(() => void receiver.received.splice(0));

afterAll(() => receiver.close());

const refused = [
  'http://127.0.0.1',
  'http://[::1]',
  'http://169.254.169.254',
  'http://0',
  'http://2130706433',
  'http://10.1.2.3',
  'http://example.com',
  'https://127.0.0.1',
  'https://127.1',
  'https://0x7f.0.0.1',
  'https://0177.0.0.1',
  'https://2130706433',
  'https://127.0.0.1.',
  'https://[::1]',
  'https://[::]',
  'https://[::ffff:127.0.0.1]',
  'https://[::ffff:8.8.8.8]',
  'https://[::7f00:1]',
  'https://[64:ff9b::7f00:1]',
  'https://[64:ff9b:1::a01:203]',
  'https://[2002:7f00:1::]',
  'https://[2001::1]',
  'https://[fe80::1]',
  'https://[fd00:ec2::254]',
  'https://[ff02::1]',
  'https://0.0.0.0',
  'https://10.1.2.3',
  'https://100.64.0.1',
  'https://169.254.169.254',
  'https://172.16.0.1',
  'https://192.168.1.1',
  'https://198.18.0.1',
  'https://224.0.0.1',
  'https://255.255.255.255',
  'https://localhost',
  'https://LOCALHOST.',
  'https://api.localhost',
  'https://user:password@example.com',
  'https://user@example.com',
  'file:///etc/passwd',
  'ftp://example.com',
  'javascript:alert(1)',
  '//example.com',
  'example.com',
  'https://',
  'https://intranet',
  'https://intranet:8443/hooks',
  'https://printer.local',
  'https://metadata.google.internal',
  'https://168.63.129.16',
  'https://example.com:0',
  'https://example.com:65536',
  'https://example.com/a b',
  'https://example.com/\n',
  'https://example.com\\@127.0.0.1',
  'https:example.com',
  '',
];

describe('the address of a webhook', () => {
  it.each(refused)('is refused when it is %s', async (url) => {
    expect(checkUrl(url, rules)).toMatch(/^must /);
    const sender = createSender(rules);
    expect(await sender.post(url, {}, '{}')).toEqual({
      statusCode: null,
      error: checkUrl(url, rules),
      body: null,
    });
    sender.close();
  });

  it.each([
    'https://example.com',
    'https://example.com:8443/hooks?token=1',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://localhost.example.com',
  ])('may be %s', (url) => {
    expect(checkUrl(url, rules)).toBeUndefined();
  });

  it.each(['http://127.0.0.1:3000/hooks', 'http://localhost', 'https://10.1.2.3', 'http://receiver:8080'])(
    'may be %s where the configuration allows it',
    (url) => {
      expect(checkUrl(url, { allowPrivate: true })).toBeUndefined();
    },
  );

  it.each([
    'file:///etc/passwd',
    'https://user:password@example.com',
    'nonsense',
    'http://localhost:0',
    'http://localhost/a b',
    'http://local\thost/',
  ])('is never %s', (url) => {
    expect(checkUrl(url, { allowPrivate: true })).toBeTypeOf('string');
  });
});

describe('a name', () => {
  const answer = async (sender: Sender) => {
    const given = await sender.post(`https://hooks.example.com:${port}/`, {}, '{}');
    sender.close();
    return given;
  };
  const forbidden = {
    statusCode: null,
    error: 'The host name resolves to an address that is not public.',
    body: null,
  };

  it.each([
    ['loopback', ['127.0.0.1']],
    ['loopback of IPv6', ['::1']],
    ['a public address and a private one', ['8.8.8.8', '10.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ["Azure's metadata", ['168.63.129.16']],
    ['loopback, mapped into IPv6', ['::ffff:127.0.0.1']],
  ])('that means %s is not called', async (_, addresses) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const sender = createSender(rules, { lookup: createLookup(rules, async () => found) });
    expect(await answer(sender)).toEqual(forbidden);
    expect(receiver.received).toEqual([]);
  });

  it('that the system itself knows as loopback is not called', async () => {
    const sender = createSender(rules, {
      lookup: createLookup(rules, () => lookup('localhost', { all: true })),
    });
    expect(await answer(sender)).toEqual(forbidden);
  });

  it('is connected to at the addresses that were checked, though it means others a moment later', async () => {
    const answers = [[{ address: '8.8.8.8', family: 4 }], [{ address: '127.0.0.1', family: 4 }]];
    const changing = createLookup(rules, async () => answers.shift() ?? []);
    // A connection resolves the name once and then uses the result.
    const checked = await new Promise((resolve) =>
      changing('hooks.example.com', { all: true }, (_, addresses) => resolve(addresses)),
    );
    expect(checked).toEqual([{ address: '8.8.8.8', family: 4 }]);
    expect(await answer(createSender(rules, { lookup: changing }))).toEqual(forbidden);
    expect(answers).toEqual([]);
    expect(receiver.received).toEqual([]);
  });
});

describe('where the loopback is allowed', () => {
  const loopback = targetRulesIn('sandbox', { allowPrivate: false, allowLoopback: true });

  it('it is allowed in the sandbox only', () => {
    const url = 'http://127.0.0.1:4000';
    expect(checkUrl(url, loopback)).toBeUndefined();
    expect(checkUrl(url, targetRulesIn('production', loopback))).toBeTypeOf('string');
    expect(checkUrl(url, targetRulesIn('sandbox', rules))).toBeTypeOf('string');
  });

  it.each([
    'http://127.0.0.1:4000/hooks',
    'http://127.255.255.254',
    'http://2130706433:4000',
    'http://localhost:4000',
    'http://LOCALHOST.:4000',
    'http://[::1]:4000',
    'https://127.0.0.1',
    'https://example.com',
  ])('a webhook may be %s', (url) => {
    expect(checkUrl(url, loopback)).toBeUndefined();
  });

  const others = refused.filter((url) => !/^\w+:\/\/(127|localhost|0x7f|0177|2130706433|\[::1\])/i.test(url));

  it.each([
    ...others,
    'http://api.localhost',
    'http://example.com',
    'http://10.0.0.1',
    'http://[::ffff:127.0.0.1]',
  ])('a webhook may not be %s', (url) => {
    expect(checkUrl(url, loopback)).toBeTypeOf('string');
  });

  it('localhost leads to the loopback only, and no other name does', async () => {
    const sendTo = async (host: string, address: string) => {
      const lookup = createLookup(loopback, async () => [{ address, family: 4 }]);
      const sender = createSender(loopback, { lookup });
      const result = await sender.post(`http${host === 'localhost' ? '' : 's'}://${host}:${port}/`, {}, '{}');
      sender.close();
      return result;
    };
    const forbidden = { statusCode: null, error: 'The host name resolves to an address that is not public.' };
    expect(await sendTo('localhost', '127.0.0.1')).toMatchObject({ statusCode: 204 });
    expect(await sendTo('localhost', '10.0.0.1')).toMatchObject(forbidden);
    expect(await sendTo('hooks.example.com', '127.0.0.1')).toMatchObject(forbidden);
    expect(await sendTo('hooks.example.com', '10.0.0.1')).toMatchObject(forbidden);
    expect(receiver.received).toHaveLength(1);
  });
});
