import supertest, { type Test } from 'supertest';

type Headers = Record<string, string>;

/** Speaks to one environment of a running service, with headers that go out with every request. */
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
    return supertest(this.baseUrl).get(path).set(this.headers);
  }

  head(path: string): Test {
    return supertest(this.baseUrl).head(path).set(this.headers);
  }

  options(path: string): Test {
    return supertest(this.baseUrl).options(path).set(this.headers);
  }

  post(path: string, body?: object | string): Test {
    return supertest(this.baseUrl)
      .post(path)
      .set(this.headers)
      .set('Content-Type', 'application/json')
      .send(body);
  }

  put(path: string, body?: object | string): Test {
    return supertest(this.baseUrl).put(path).set(this.headers).send(body);
  }

  patch(path: string, body?: object | string): Test {
    return supertest(this.baseUrl)
      .patch(path)
      .set(this.headers)
      .set('Content-Type', 'application/merge-patch+json')
      .send(body);
  }

  delete(path: string): Test {
    return supertest(this.baseUrl).delete(path).set(this.headers);
  }
}
