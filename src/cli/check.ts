import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createClient } from '@redis/client';
import packageJson from '../../package.json' with { type: 'json' };
import { checkSecretKey } from '../auth/signing-keys.ts';
import { type Config, loadConfig } from '../config.ts';
import { placeOf } from '../config-values.ts';
import { checkRights, describeSchema, inspectDatabase } from '../db/check-database.ts';
import { Database } from '../db/database.ts';
import { checkLabel, describeCopy, isCopy } from '../db/label.ts';
import { placed } from '../db/placed.ts';
import { look, type Route } from '../db/pool/route.ts';
import type { Environment } from '../environment.ts';
import { type Databases, openDatabases } from '../process/databases.ts';
import { explainError } from '../process/explain.ts';
import { checkPublicUrl } from '../process/public-url.ts';
import { openSecretKey } from '../process/secret-key.ts';
import { Deadline } from '../values/deadline.ts';
import type { Report } from './report.ts';

/** Milliseconds. */
const TIMEOUT = 3_000;

/** Checks what a start of this version needs, without changing anything. */
export async function check(): Promise<Report> {
  const results: { check: string; result: string }[] = [];
  let failed = false;
  const attempt: Attempt = async (name, task) => {
    try {
      const about = await task();
      results.push({ check: name, result: typeof about === 'string' ? `ok: ${about}` : 'ok' });
    } catch (error) {
      failed = true;
      const faults = explainError(error).split('\n');
      results.push(...faults.map((fault) => ({ check: name, result: `FAILED: ${fault}` })));
    }
  };

  let config: Config | undefined;
  await attempt('settings', () => {
    const loaded = loadConfig();
    checkPublicUrl(loaded);
    config = loaded;
  });
  if (config !== undefined) await checkPlaces(config, attempt);
  const can = failed ? "can't start here, or would not work as configured" : 'can start here';
  return { title: `Version ${packageJson.version} ${can}. Nothing was changed.`, data: results, failed };
}

/** Adds the outcome of a check: what it returns, or a line for each fault that it throws. */
type Attempt = (name: string, task: () => unknown) => Promise<void>;

async function checkPlaces(config: Config, attempt: Attempt): Promise<void> {
  const { tls, redisUrl } = config;
  if (tls !== undefined) await attempt('certificate', () => checkCertificate(tls.certFile));
  if (redisUrl !== undefined) await attempt('Redis', () => checkRedis(redisUrl));
  let databases: Databases | undefined;
  const open = async () => {
    databases = await openDatabases(config, { needsPrimary: true });
  };
  await (config.databases === undefined ? attempt('embedded PostgreSQL', open) : open());
  if (databases === undefined) return;
  try {
    for (const environment of config.environments)
      await checkEnvironment(environment, config, databases, attempt);
  } finally {
    await databases.stop();
  }
}

async function checkEnvironment(
  environment: Environment,
  config: Config,
  databases: Databases,
  attempt: Attempt,
): Promise<void> {
  let route: Route | undefined;
  await attempt(`${environment} database`, async () => {
    route = await databases.findRoute(environment);
    return placeOf(route.url);
  });
  const replica = config.replicas?.[environment];
  if (replica !== undefined)
    await attempt(`${environment} replica`, () => checkReplica(replica, environment));
  if (route === undefined) return;
  const found = route;
  await attempt(`${environment} privileges`, () => checkRights(found));
  let isEmpty = true;
  await attempt(`${environment} label`, async () => {
    const database = await inspectDatabase(found);
    isEmpty = database.migrations.length === 0;
    await attempt(`${environment} schema`, () => describeSchema(database, found));
    checkLabel(database, environment, placeOf(found.url));
    return isCopy(database) ? describeCopy(environment) : undefined;
  });
  // An empty database has no signing key yet.
  if (!isEmpty) await attempt(`${environment} secret key`, () => checkKey(found, config));
}

function checkCertificate(file: string): string {
  const { validTo } = new X509Certificate(readFileSync(file));
  const until = `valid until ${new Date(validTo).toISOString().slice(0, 10)}`;
  if (Date.parse(validTo) > Date.now()) return until;
  throw new Error(`The certificate in TLS_CERT_FILE was ${until}. Get a new one.`);
}

async function checkRedis(url: string): Promise<void> {
  const client = createClient({
    url,
    disableClientInfo: true,
    socket: { reconnectStrategy: false, connectTimeout: TIMEOUT },
  });
  client.on('error', () => undefined);
  try {
    await new Deadline(TIMEOUT).race(client.connect());
    await new Deadline(TIMEOUT).race(client.ping());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `Redis at ${new URL(url).host} can't be used: ${reason}. Start it, or correct REDIS_URL.`,
    );
  } finally {
    client.destroy();
  }
}

async function checkReplica(url: string, environment: Environment): Promise<string> {
  const { isStandby } = await look(url, 'DATABASE_REPLICA_URL').catch((error: unknown) => {
    throw placed(error, { environment });
  });
  if (isStandby) return placeOf(url);
  throw new Error(`The ${environment} replica at ${placeOf(url)} is not a standby.`);
}

async function checkKey(route: Route, config: Config): Promise<void> {
  const secretKey = await openSecretKey(config);
  const db = new Database(route.url, 1, route);
  try {
    await checkSecretKey(db, secretKey);
  } finally {
    await db.close();
  }
}
