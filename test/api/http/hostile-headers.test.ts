/**
 * Every operation, with headers, queries and paths that no library would send, returns a status below 500 and a small
 * head.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Operation, operations } from '../../../generated/operations.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import { requestHead, sendRaw } from '../../support/raw.ts';

/** More than four concurrent exports are rejected. */
const AT_ONCE = 3;
const LIMIT = 3.5 * 1024;
const long = 'x'.repeat(7_000);
/** As raw bytes: Node and proxies pass on Latin-1. */
const strange = '\u00e4\u00ff\u0080';

const names = [
  'Accept',
  'Accept-Encoding',
  'Access-Control-Request-Headers',
  'Cache-Control',
  'Content-Encoding',
  'Content-Type',
  'Cookie',
  'Dry-Run',
  'Expect',
  'Forwarded',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Origin',
  'Prefer',
  'Range',
  'Simulate',
  'TE',
  'Upgrade',
  'X-API-Key',
  'X-Forwarded-For',
  'X-HTTP-Method-Override',
  'X-Request-Id',
  'traceparent',
  'tracestate',
];
const accepts = [
  'application/json;charset=UTF-8',
  'text/csv;charset=utf-8;q=0.1',
  '*/*;q=0',
  'application/*;level=1',
  'application/problem+json',
  'a/b;p="\\"",*/*',
  `${'a/b;c="d",'.repeat(500)}*/*`,
  `*/*${';'.repeat(5_000)}`,
  `*/*;${' '.repeat(5_000)}q=1`,
  `*/*;a="${'\\'.repeat(5_000)}`,
];
const queries = [
  '%00',
  '%01',
  '%0A',
  '%7F',
  '%C2%85',
  '%E2%80%AE',
  '%F0%9F%98%80',
  '%ED%A0%80',
  '%FF',
  '+',
  '%',
];

let app: TestApp;
let Authorization: string;

beforeAll(async () => {
  app = await startTestApp();
  Authorization = (await app.client(allScopes)).headers.Authorization ?? '';
});

afterAll(() => app.close());

async function faultOf(bytes: Buffer): Promise<string | undefined> {
  const { status, headers } = await sendRaw(app.url, bytes);
  const size = Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length + 4,
    0,
  );
  const isGood = status >= 200 && status < 500 && size <= LIMIT;
  return isGood ? undefined : `${status}, ${size} bytes of headers: ${bytes.toString('latin1', 0, 300)}`;
}

function requestsTo({ method, path, query }: Operation): Buffer[] {
  const target = `/v1${path.replaceAll(/{\w+}/g, 'x')}`;
  // Other bodies are not read, and the service would wait for a file.
  const begun = requestHead(method.toUpperCase(), target, { Authorization, 'Content-Length': '0' }).slice(
    0,
    -2,
  );
  const withLines = (...lines: string[]) => Buffer.from(`${begun}${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const to = (address: string) =>
    Buffer.from(
      requestHead(method.toUpperCase(), address, { Authorization, 'Content-Length': '0' }),
      'latin1',
    );
  return [
    ...names.flatMap((name) => [
      withLines(`${name}: ${long}`),
      withLines(`${name}: ${strange}`, `${name}: ${strange}`),
      withLines(`${name}:`, `${name}: ,`),
    ]),
    ...accepts.map((accept) => withLines(`Accept: ${accept}`)),
    ...[...query, 'x'].flatMap((name, index) => {
      const value = queries[index % queries.length];
      return ['%00', value].map((text) => to(`${target}?${name}=a${text}b&${name}[${text}]=${text}`));
    }),
    ...[...query, 'x'].map((name) => to(`${target}?${name}=%00`)),
    ...queries.map((value) => to(target.replaceAll('/x', `/x${value}`))),
    ...[
      `${target}/`,
      `/${target}`,
      target.replaceAll('/', '//'),
      `${target}%2F`,
      `${target}/..%2f..`,
      `${target};a`,
    ].map(to),
    to(target.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)),
  ];
}

it.each(
  Object.entries<Operation>(operations).filter(([, { environments }]) => environments.includes('production')),
)(
  '%s',
  async (_, operation) => {
    const requests = requestsTo(operation);
    const faults: (string | undefined)[] = [];
    const work = async () => {
      for (let next = requests.pop(); next !== undefined; next = requests.pop())
        faults.push(await faultOf(next));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  },
  60_000,
);
