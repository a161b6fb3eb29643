import { Agent } from 'node:http';
import supertest, { type Test } from 'supertest';

type Headers = Record<string, string>;
type Method = 'get' | 'head' | 'options' | 'post' | 'put' | 'patch' | 'delete';

/** Without an agent, each request opens a connection, which takes longer than the request. */
const agent = new Agent({ keepAlive: true });

/** A client of one environment of a running service, with headers for every request. */
export class TestClient {
  readonly baseUrl: string;
  readonly headers: Headers;

  constructor(baseUrl: string, headers: Headers = {}) {
    this.baseUrl = baseUrl;
    this.headers = headers;
  }

  /** The same client with more headers. */
  with(headers: Headers): TestClient {
    return new TestClient(this.baseUrl, { ...this.headers, ...headers });
  }

  /** The same client at another address. */
  at(baseUrl: string): TestClient {
    return new TestClient(baseUrl, this.headers);
  }

  get(path: string): Test {
    return this.request('get', path);
  }

  head(path: string): Test {
    return this.request('head', path);
  }

  options(path: string): Test {
    return this.request('options', path);
  }

  post(path: string, body?: object | string): Test {
    return this.request('post', path).set('Content-Type', 'application/json').send(body);
  }

  put(path: string, body?: object | string): Test {
    return this.request('put', path).send(body);
  }

  patch(path: string, body?: object | string): Test {
    return this.request('patch', path).set('Content-Type', 'application/merge-patch+json').send(body);
  }

  delete(path: string): Test {
    return this.request('delete', path);
  }

  private request(method: Method, path: string): Test {
    return supertest(this.baseUrl)[method](path).agent(agent).set(this.headers);
  }
}
