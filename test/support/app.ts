import { randomBytes } from 'node:crypto';
import type { Server, ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import createKnex, { type Knex } from 'knex';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { type ClientCredentials, registerClient } from '../../src/clients/operator.ts';
import type { Config } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { directRoute } from '../../src/db/pool/route.ts';
import { types } from '../../src/db/pool/types.ts';
import { type Environment, environments } from '../../src/environment.ts';
import type { Operations } from '../../src/http/find-operation.ts';
import { createRateLimiters } from '../../src/http/limits/rate-limit.ts';
import type { CreateStore } from '../../src/http/limits/shared-counts.ts';
import { listen } from '../../src/http/listen.ts';
import { type Document, readDocument } from '../../src/http/validation/document.ts';
import { type Prepared, type PrepareOptions, prepareDocument } from '../../src/prepare-document.ts';
import { createContext } from '../../src/process/create-context.ts';
import { createLogger } from '../../src/process/logger.ts';
import type { SecretKey } from '../../src/values/secrets.ts';
import { TestClient } from './client.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import type { Network } from './network.ts';

/** The issuer of the tokens; requests go to `url`, which has a different port. */
export const PUBLIC_URL = 'https://api.test';

const unlimited = {
  read: 1e6,
  write: 1e6,
  batch: 1e6,
  search: 1e6,
  analytics: 1e6,
  tokenClient: 1e6,
  tokenIp: 1e6,
  inbound: 1e6,
  anonymous: 1e6,
  badSecret: 1e6,
};

const POOL_SIZE = 10;

/** Every scope. */
export const allScopes = ['read', 'write', 'admin'];

export interface TestAppOptions {
  /** Whether there is a sandbox next to production. Off by default, because its database takes as long as many tests. */
  sandbox?: boolean;
  rateLimits?: Partial<Config['rateLimits']>;
  trustProxy?: Config['trustProxy'];
  /** Whether webhooks may point to this machine, which most tests need. */
  allowPrivateTargets?: boolean;
  /** Whether webhooks of the sandbox may have the loopback's addresses. Default: no. */
  allowLoopbackTargets?: boolean;
  /** Limit of stored inbound deliveries per environment, in bytes. */
  inboundStorage?: number;
  /** Limit of stored import rows per environment, in bytes. */
  importStorage?: number;
  defaultCountry?: string;
  /** Limit of stored responses per environment, in bytes. */
  idempotencyStorage?: number;
  /** A document other than the contract. */
  document?: Document;
  /** Operations other than the contract's. */
  operations?: Operations;
  /** Where requests are counted; in memory by default. */
  createStore?: CreateStore;
  /** A second process of this service: the same databases and keys. */
  beside?: TestApp;
  /** Limits on how long a request may take to arrive, if not the usual ones. */
  timeouts?: ServerOptions;
  /** Whether requests wait for locks without a limit, for tests that hold locks. */
  waitsForLocks?: boolean;
  /** The network between the service and PostgreSQL. */
  network?: Network;
  /** Receives the log lines, which are dropped by default. */
  log?: (line: string) => void;
}

interface TestContext extends Context {
  /** The test's own connection to the database, next to the service's. */
  knex: Knex;
}

export interface TestApp {
  /** Origin of the running server, such as http://127.0.0.1:41234. */
  url: string;
  production: TestContext;
  /** Only with the option `sandbox`. */
  sandbox: TestContext;
  databases: readonly TestDatabase[];
  secretKey: SecretKey;
  /** A client without credentials. */
  anonymous: TestClient;
  /** A new API client with these scopes (`read write` by default) and a token. */
  client(scopes?: string[], environment?: Environment): Promise<TestClient>;
  /** A new API client's credentials, not yet exchanged. */
  credentials(scopes?: string[], environment?: Environment): Promise<ClientCredentials>;
  close(): Promise<void>;
}

/** Test files of one worker share a prepared document, which is independent of an app. */
const contract = readDocument();
const prepared = new WeakMap<Document, Promise<Prepared>>();

function prepareOnce(document: Document, options: PrepareOptions): Promise<Prepared> {
  const made = prepared.get(document) ?? prepareDocument(document, options);
  prepared.set(document, made);
  return made;
}

/** The whole service on its own databases, listening on a free port of the loopback. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { beside, createStore } = options;
  const wanted = options.sandbox ? environments : (['production'] as const);
  const databases = beside?.databases ?? (await Promise.all(wanted.map((one) => createTestDatabase(one))));
  const logger =
    options.log === undefined ? pino({ level: 'silent' }) : createLogger('info', { write: options.log });
  const secretKey = beside?.secretKey ?? ([randomBytes(32)] as const);
  const contexts = databases.map(({ url: databaseUrl }, index) => {
    const environment = environments[index] as Environment;
    const context = createContext({
      environment,
      publicUrl: PUBLIC_URL,
      // With a pooler, PostgreSQL's limits are those of the role, which has none.
      database: {
        ...directRoute(options.network?.through(databaseUrl) ?? databaseUrl),
        isPooled: options.waitsForLocks ?? false,
      },
      secretKey,
      logger,
      config: {
        databasePoolSize: POOL_SIZE,
        targetRules: {
          allowPrivate: options.allowPrivateTargets ?? true,
          allowLoopback: options.allowLoopbackTargets ?? false,
        },
        inboundStorage: options.inboundStorage ?? 2 ** 30,
        importStorage: options.importStorage ?? 2 ** 32,
        defaultCountry: options.defaultCountry,
        idempotencyStorage: options.idempotencyStorage ?? 2 ** 33,
      },
      rateLimiters: createRateLimiters(
        { ...unlimited, ...options.rateLimits },
        createStore && ((name) => createStore(`${environment}:${name}`)),
      ),
    });
    const knex = createKnex({
      client: 'pg',
      connection: { connectionString: databaseUrl, types },
      pool: { min: 0, max: 5 },
    });
    return { ...context, knex };
  });
  const app = await createApp({
    config: {
      environments,
      databasePoolSize: POOL_SIZE,
      trustProxy: options.trustProxy,
      tls: undefined,
    },
    publicUrl: PUBLIC_URL,
    document: options.document ?? (await contract),
    prepare: prepareOnce,
    operations: options.operations,
    contexts: Object.fromEntries(contexts.map((context) => [context.environment, context])),
    logger,
  });
  const address = { host: '127.0.0.1', port: 0, tls: undefined, publicUrl: PUBLIC_URL };
  const { server } = await listen(app, address, options.timeouts);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const contextOf = (environment: Environment) => {
    const context = contexts.find((one) => one.environment === environment);
    if (context === undefined) throw new Error('This app has no sandbox: startTestApp({ sandbox: true }).');
    return context;
  };
  const credentials: TestApp['credentials'] = async (
    scopes = ['read', 'write'],
    environment = 'production',
  ) => {
    const { client_id, client_secret } = await registerClient(contextOf(environment), {
      name: 'Test',
      scopes,
    });
    return { client_id, client_secret };
  };
  return {
    url,
    production: contextOf('production'),
    get sandbox() {
      return contextOf('sandbox');
    },
    databases,
    secretKey,
    anonymous: new TestClient(`${url}/v1`),
    credentials,
    async client(scopes, environment = 'production') {
      const { basePath } = contextOf(environment);
      const { client_id, client_secret } = await credentials(scopes, environment);
      const anonymous = new TestClient(url + basePath);
      const { body } = await anonymous
        .post('/auth/token', { grant_type: 'client_credentials', client_id, client_secret })
        .expect(200);
      return anonymous.with({ Authorization: `Bearer ${body.access_token}` });
    },
    async close() {
      await closeServer(server);
      await Promise.all(contexts.map((context) => context.close()));
      await Promise.all(contexts.map(({ knex }) => knex.destroy()));
      if (beside === undefined) await Promise.all(databases.map((database) => database.drop()));
    },
  };
}

function closeServer(server: Server): Promise<unknown> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}
