/** Requests with one to three errors each, the same ones for the same seed. */
import { gzipSync } from 'node:zlib';
import { type Operation, operations } from '../../generated/operations.ts';
import { requestHead } from './raw.ts';

interface Malformed {
  method: string;
  bytes: Buffer;
}

interface Ingredients {
  token: string;
  /** Ids of leads that exist. */
  ids: readonly string[];
}

type Random = <T>(choices: readonly T[]) => T;

const long = 'a'.repeat(5_000);

const methods = ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST', 'PROPFIND', 'TRACE', 'LINK', 'PURGE'];

// biome-ignore format: a list of short things
const segments = [
  '%', '%zz', '%00', '%2e%2e%2f', '..', '.', '', '/', '%F0%9F', '%ED%A0%80', '%C0%AF', '\\', '*', ';id=1',
  '#', '~', 'lead_', 'lead_01h455vb4pex5vsknk084sn02q', 'lead_81h455vb4pex5vsknk084sn02q',
  'LEAD_01H455VB4PEX5VSKNK084SN02Q', 'user_01h455vb4pex5vsknk084sn02q', '__proto__', 'constructor',
  "'; drop table leads; --", '{id}', ':id', '%7Bid%7D', '0', '-1', 'null', 'a%2Fb', '%E2%80%AE', '\u00e4',
  long, long.slice(0, 101), `lead_${long.slice(0, 26)}`,
].map((segment) => segment.replaceAll(' ', '%20'));

// biome-ignore format: a list of short things
const queries = [
  '', '%', '%00', '&', '&&=&', '=', '=1', 'page', 'page=', 'page=0', 'page=-1', 'page=1.5', 'page=1e3', 'page=1e999',
  'metadata=x', 'metadata={}', 'metadata[]=', 'metadata[a]=%00', 'metadata[__proto__]=x', 'metadata[a][b]=1', 'metadata[\u0000]=1', `metadata[${'a'.repeat(900)}]`,
  'page=NaN', 'page=0x10', 'page= 1', 'page=%201', 'page=2147483648', 'page=99999999999999999999', 'page[]=1', 'page[x]=1',
  'page=1&page=2', 'page=true', 'page=null', 'per_page=0', 'per_page=101', 'per_page=%F0', 'status', 'status=', 'status=,',
  'status=new,', 'status=NEW', 'status[]=new', 'status[x]=1', 'status[x][y]=1', 'status=new&status=won', 'status=%', 'tag',
  'tag[]=a&tag=b', 'tag[0]=a', `tag=${'a,'.repeat(500)}`, 'tag=%00', 'tag=,', 'a[b][c]=', '[]=1', '[x]=1', ']=1', '[', 'status[',
  '__proto__=1', '__proto__[x]=1', 'constructor[prototype][x]=1', 'constructor=1', 'toString=1', 'hasOwnProperty=1', 'x=1',
  'search=', 'search=%00', 'search=%20', 'search=%E2%80%8B', "search='%22%5C", 'search=%26|!():*<->', 'search=%ED%A0%80',
  `search=${'a'.repeat(201)}`, `search=${'%20a'.repeat(66)}`, 'search=a&search=b', 'search[x]=1', 'search=:*', "search='", 'search=\\',
  'cursor=', 'cursor=x', 'cursor=e30', 'cursor=bnVsbA', 'cursor=W10', 'cursor=eyJhZnRlciI6W119', 'cursor=%00', 'cursor=x&page=1',
  'sort=', 'sort=id', 'sort=--name', 'sort=name,email', 'sort[]=name', 'created_from=', 'created_from=yesterday', 'created_from=%00',
  'created_from=2026-02-30', 'created_from=0000-01-01', 'created_from=9999-12-31T23:59:59.999Z', 'created_from=2026-01-01T00:00:00',
  'created_from=2026-11-02&created_to=2026-11-01', 'created_to=+275760-09-13', 'created_from=-000001-01-01', 'created_from=0001-01-01',
  'reached_from=2026-01-01', 'reached=lost&reached_to=x', 'email=%00', 'email=a', 'email=a@b@c', `email=${'a'.repeat(300)}@example.com`,
  'assigned_user_id=None', 'assigned_user_id=lead_01h455vb4pex5vsknk084sn02q', 'external_id=%00', `external_id=${'x'.repeat(129)}`,
  '_openapi[schema][parameters][0][in]=query', 'a=1;b=2', '?', '??page=1', 'page=1?', `${'x=1&'.repeat(1500)}`, `x=${long}`,
];

// biome-ignore format: a list of short things
const headerLines: [string, string][] = [
  ['Accept', ''], ['Accept', 'text/html'], ['Accept', '*'], ['Accept', '/'], ['Accept', 'application/json;q=0'], ['Accept', ';;,,'],
  ['Accept', 'application/json;q=x'], ['Accept', `${'a/b,'.repeat(500)}*/*`], ['Accept-Encoding', '*;q=0'], ['Accept-Charset', 'x'],
  ['Idempotency-Key', ''], ['Idempotency-Key', '\u00e4\u00f6'], ['Idempotency-Key', '\t'], ['Idempotency-Key', 'a'.repeat(256)],
  ['Idempotency-Key', 'a\u0001'], ['If-Match', ''], ['If-Match', '*'], ['If-Match', 'W/"1"'], ['If-Match', '"'], ['If-Match', ',,'],
  ['If-Match', 'a'.repeat(2_000)], ['If-None-Match', ''], ['If-None-Match', '*'], ['If-None-Match', '"\u00e4"'], ['If-None-Match', '"1'],
  ['If-Modified-Since', 'x'], ['Range', 'bytes=0-'], ['X-Request-Id', ''], ['X-Request-Id', 'a b'], ['X-Request-Id', '\u00e4'.repeat(9)],
  ['X-API-Key', ''], ['X-API-Key', 'lpk_live_x'], ['X-API-Key', '\u00e4'], ['X-Forwarded-For', "' or 1=1"], ['X-Forwarded-Proto', 'ftp'],
  ['X-HTTP-Method-Override', 'DELETE'], ['Origin', 'null'], ['Origin', '\u00e4'], ['Cookie', 'a=%'], ['Expect', '100-continue'],
  ['Access-Control-Request-Headers', '\u00e4'], ['Access-Control-Request-Method', 'BREAK'], ['Content-Language', 'x'], ['Upgrade', 'h2c'],
  ['Content-Encoding', 'gzip'], ['Content-Encoding', 'br'], ['Content-Encoding', 'deflate'], ['Content-Encoding', 'x'],
  ['Content-Encoding', 'gzip, gzip'], ['Content-Encoding', ''], ['Content-Encoding', 'identity'], ['Forwarded', 'for="'],
];

// biome-ignore format: a list of short things
const authorizations = [
  undefined, '', 'Bearer', 'Bearer ', 'bearer x', 'Bearer a b', 'Bearer a.b.c', 'Bearer e30.e30.e30', 'Bearer \u00e4', 'Basic',
  'Basic x', 'Basic Og==', 'Basic YTpi', 'Basic JTpi', 'Basic /w==', 'Digest a', 'Bearer eyJhbGciOiJub25lIn0.e30.',
  `Bearer ${long}`, `Bearer ${'.'.repeat(1_000)}`, 'Bearer eyJhbGciOjEsImtpZCI6e319.e30.x', 'Bearer bnVsbA.bnVsbA.x',
];

// biome-ignore format: a list of short things
const contentTypes = [
  'application/json', 'application/json', 'application/json', 'application/merge-patch+json', 'application/x-www-form-urlencoded',
  'APPLICATION/JSON; Charset="UTF-8"', 'application/json; charset=utf-16', 'application/json; charset=latin1', 'application/json;;',
  'application/json; charset=', 'application/json; charset=\u00e4', 'text/plain', 'text/html', 'multipart/form-data', 'a', '/', '', '*/*',
  'multipart/form-data; boundary=x', 'application/json, text/plain', 'application/vnd.api+json', 'application/*', 'application/json/x',
  'application/x-www-form-urlencoded; charset=utf-16', `application/json; x=${long}`, '__proto__', 'constructor',
];

const lead = (fields: string) => `{"name":"Ada","email":"ada@example.com",${fields}}`;

// biome-ignore format: a list of short things
const bodies: (string | Buffer)[] = [
  '', ' ', '{', '}', '[]', 'null', '1', '"', '{}', '{"a":1', '{"a":}', "{'a':1}", '{a:1}', '{"a":1,}', '{}{}', '// x\n{}', 'NaN', '-',
  '\ufeff{}', '\u0000', '{"name":"\\u0000"}', '{"\\u0000":1}', lead('"company":"\\u0000"'), lead('"tags":["\\ud800"]'), '{"\\udfff":1}',
  lead('"metadata":{"__proto__":"x"}'), lead('"metadata":{"constructor":"x","toString":"y"}'), lead('"metadata":{"a":{"b":1}}'),
  lead('"metadata":{"a.b":1,"":"x","~1/":2}'), lead('"metadata":[]'), lead('"metadata":{"__proto__":{"a":1}}'), lead('"metadata":{"\\u0000":"x"}'),
  lead('"__proto__":{"admin":true}'), lead('"constructor":{"prototype":{"x":1}}'), '{"__proto__":"\\u0000"}', '{"__proto__":null}',
  lead('"hasOwnProperty":1,"toString":2,"valueOf":3'), lead('"status":"NEW"'), lead('"status":null'), lead('"source":["api"]'),
  lead('"phone":15112345678'), lead('"phone":"+0"'), lead('"tags":"vip"'), lead('"tags":[null]'), lead('"tags":[[]]'), lead('"tags":{"0":"a"}'),
  lead('"tags":{"length":1e9}'), lead('"assigned_user_id":"lead_01h455vb4pex5vsknk084sn02q"'), lead('"assigned_user_id":""'), lead('"version":1'),
  lead('"content_id":"content_7zzzzzzzzzzzzzzzzzzzzzzzzz"'), lead('"content_id":7'), lead('"id":"lead_01h455vb4pex5vsknk084sn02q"'),
  '{"name":1e999,"email":-1e999}', '{"name":true,"email":false}', '{"name":{},"email":[]}', '{"name":" ","email":" "}', '{"name":null,"email":null}',
  '{"name":"\u200b","email":"a@b"}', '{"name":"A","email":"a@b..c"}', '{"name":"A","email":"@"}', '{"name":"A","email":"\u00e4@\u00e4.de"}',
  `{"name":"A","email":"${'a'.repeat(60_000)}@example.com"}`, `{"name":"${'\u{1f600}'.repeat(30_000)}","email":"a@example.com"}`,
  `{"email":"${'a.'.repeat(60_000)}"}`, `{"email":"a@${'a-'.repeat(60_000)}"}`, `{"email":"a@${'a.'.repeat(60_000)}"}`, `{"phone":"+${'1'.repeat(200_000)}"}`,
  `${'{"a":'.repeat(11)}1${'}'.repeat(11)}`, '['.repeat(50_000), `${'{"a":'.repeat(40_000)}`, `{"a":"${'\\u0041'.repeat(40_000)}"}`, 'x'.repeat(300_000),
  `{"tags":[${'0,'.repeat(60_000)}0]}`, `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":0`).join(',')}}`, lead(`"a":${'1'.repeat(100_000)}`),
  `{"metadata":{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":0`).join(',')}}}`, `{"${'k'.repeat(200_000)}":1}`,
  Buffer.from('{"name":"Ada"}', 'utf16le'), Buffer.from('\ufeff{"name":"Ada"}', 'utf16le'), Buffer.from([0xff, 0xfe, 0x00]), Buffer.from([0xc0, 0xaf]),
  Buffer.from('{"name":"\xe4"}', 'latin1'), gzipSync('{}'), gzipSync('{"a":"x"}').subarray(0, 12), gzipSync(Buffer.alloc(2_000_000, 32)),
  'grant_type=client_credentials', 'grant_type=password&username=a&password=b', 'grant_type', 'grant_type=&client_id=&client_secret=', '%=%&&&=',
  'grant_type=a&grant_type=b', 'client_id[]=1&grant_type[x]=client_credentials', '__proto__=1&constructor=2', 'a=%00&b=%ff', `${'a=1&'.repeat(2_000)}`,
  '{"grant_type":"client_credentials","client_id":"\\u0000","client_secret":"x"}', '{"grant_type":"client_credentials","client_id":"client_01h455vb4pex5vsknk084sn02q","client_secret":"x"}',
  '{"grant_type":["client_credentials"]}', '{"grant_type":"client_credentials","client_id":{},"client_secret":[]}', '{"token":"x","token_type_hint":1}',
  '{"grant_type":"client_credentials","scope":"root","client_id":"x","client_secret":"y"}', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
];

export function* malformedRequests(
  seed: number,
  count: number,
  { token, ids }: Ingredients,
): Generator<Malformed> {
  const random = generator(seed);
  const pick: Random = (choices) => choices[Math.floor(random() * choices.length)] as never;
  const maybe = (chance: number) => random() < chance;
  for (let index = 0; index < count; index += 1) {
    const operation: Operation = pick(Object.values(operations));
    const base = pick(['/v1', '/v1', '/v1', '/v1', '/sandbox/v1', '//v1', '/v1/', '/v1/.', '']);
    const id = maybe(0.6) ? pick(ids) : pick(segments);
    let path = operation.path.replace('{id}', id);
    if (maybe(0.1)) path = `${path}/${pick(segments)}`;
    if (maybe(0.03)) path = pick(segments);
    const query = maybe(operation.method === 'get' ? 0.7 : 0.1) ? `?${pick(queries)}` : '';
    const method = maybe(0.15) ? pick(methods) : operation.method.toUpperCase();
    const headers: Record<string, string> = { Connection: 'close' };
    const authorization = maybe(0.75) ? `Bearer ${token}` : pick(authorizations);
    if (authorization !== undefined) headers.Authorization = authorization;
    for (let more = 0; more < 2; more += 1) {
      const [name, value] = pick(headerLines);
      if (maybe(0.2)) headers[name] = value;
    }
    const hasBody = operation.consumes.length > 0 ? maybe(0.95) : maybe(0.1);
    const body = hasBody ? Buffer.from(pick(bodies)) : Buffer.alloc(0);
    if (hasBody && maybe(0.97))
      headers['Content-Type'] = maybe(0.7)
        ? (operation.consumes[0] ?? 'application/json')
        : pick(contentTypes);
    if (hasBody) headers['Content-Length'] = String(body.length);
    yield {
      method,
      bytes: Buffer.concat([Buffer.from(requestHead(method, base + path + query, headers), 'latin1'), body]),
    };
  }
}

/** mulberry32 */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
