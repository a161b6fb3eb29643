import { constants } from 'node:os';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import {
  createApiKey,
  createClient,
  disableClient,
  listApiKeys,
  listClients,
  revokeApiKey,
  rotateSecret,
} from './auth/clients.ts';
import { parseScopes } from './auth/scopes.ts';
import { rotateSigningKey } from './auth/signing-keys.ts';
import { type Config, loadConfig } from './config.ts';
import { replaceCredentials } from './credentials-file.ts';
import { openDatabases } from './db/databases.ts';
import { createKnex, type Db } from './db/knex.ts';
import { migrate } from './db/migrate.ts';
import { type Environment, environments } from './environment.ts';
import { explain } from './explain.ts';
import { type Report, readable } from './report.ts';
import { createProgress } from './sandbox/progress.ts';
import { reset } from './sandbox/reset.ts';
import { DEFAULT_LEADS, DEFAULT_SEED, MAX_LEADS, MAX_SEED, seedData } from './sandbox/seed.ts';
import { openSecretKey } from './secret-key.ts';
import { verifyCounters } from './verify-counters.ts';

const DAY = 24 * 60 * 60_000;

interface Target {
  db: Db;
  environment: Environment;
  config: Config;
}

interface Options {
  environment: Environment;
  json?: boolean;
  client: string;
  name: string;
  scopes?: string;
  expires?: Date;
  seed: number;
  leads: number;
  repair?: boolean;
}

const program = new Command('npm run cli --')
  .description(
    "The operator's commands. They work beside a running server, which feels them within a second.",
  )
  .showSuggestionAfterError(false)
  .exitOverride();

const clients = program.command('clients').description('API clients: who may get a token');

add(
  clients,
  'create',
  'make one; its secret is shown this once',
  async ({ db, environment }, { name, scopes = '' }) => ({
    title: 'Made an API client. Its secret is shown this once:',
    data: { ...(await createClient(db, environment, { name, scopes: parseScopes(scopes) })), name, scopes },
  }),
)
  .requiredOption('--name <name>', 'whose it is')
  .option('--scopes <scopes>', 'what it may do, separated by spaces', 'read write');

add(clients, 'list', 'all of them, the disabled ones too', async ({ db }) => ({
  title: 'API clients:',
  data: await listClients(db),
}));

add(
  clients,
  'rotate-secret <client_id>',
  'a new secret, shown this once; the old one is refused at once, tokens live on',
  async ({ db, environment, config }, _options, clientId) => {
    const client = await rotateSecret(db, environment, clientId);
    await replaceCredentials(config.dataDir, environment, client).catch(warn);
    return { title: 'The client has a new secret, which is shown this once:', data: { ...client } };
  },
);

add(
  clients,
  'disable <client_id>',
  'for good: its secret, tokens and API keys are refused',
  async ({ db }, _options, clientId) => ({
    title: 'The client is disabled:',
    data: await disableClient(db, clientId),
  }),
);

const keys = program.command('keys').description('API keys: long-lived credentials of an API client');

add(keys, 'create', 'make one; it is shown this once', async ({ db, environment }, options) => ({
  title: 'Made an API key. It is shown this once:',
  data: await createApiKey(db, environment, {
    clientId: options.client,
    name: options.name,
    scopes: options.scopes === undefined ? undefined : parseScopes(options.scopes),
    expiresAt: options.expires ?? null,
  }),
}))
  .requiredOption('--client <client_id>', 'the client it belongs to')
  .requiredOption('--name <name>', 'what it is for')
  .option('--scopes <scopes>', 'what it may do, separated by spaces (default: all that the client may)')
  .option('--expires <when>', 'a number of days, or an instant such as 2030-01-31T00:00:00Z', instant);

add(keys, 'list', 'all of them, the revoked ones too', async ({ db }, { client }) => ({
  title: 'API keys:',
  data: await listApiKeys(db, client),
})).option('--client <client_id>', 'only those of this client');

add(keys, 'revoke <key_id>', 'for good', async ({ db }, _options, keyId) => ({
  title: 'The API key is revoked:',
  data: await revokeApiKey(db, keyId),
}));

const signingKeys = program.command('signing-keys').description('what tokens are signed with');

add(
  signingKeys,
  'rotate',
  'sign with a new key from now on; the old one verifies until its last token has expired',
  async ({ db, config }) => ({
    title: 'Tokens are signed with a new key:',
    data: { kid: await rotateSigningKey(db, await openSecretKey(config)) },
  }),
);

const sandbox = program.command('sandbox').description("the sandbox's data; production is never touched");

add(
  sandbox,
  'seed',
  'add users, contacts, content and leads, made from a number',
  async ({ db }, { seed, leads }) => {
    const onProgress = createProgress(process.stderr, leads);
    const counts = await db.transaction((trx) =>
      seedData(trx, { seed, leads, requestId: 'cli-sandbox-seed', onProgress }),
    );
    return { title: 'The sandbox has new data:', data: { seed, ...counts } };
  },
  'sandbox',
)
  .option('--seed <number>', 'the same number makes the same data', integer(MAX_SEED), DEFAULT_SEED)
  .option('--leads <number>', 'how many leads', integer(MAX_LEADS), DEFAULT_LEADS);

add(
  sandbox,
  'reset',
  'delete all users, contacts, content and leads; clients, keys and tokens stay',
  async ({ db }) => ({ title: 'The sandbox is empty. Deleted:', data: await db.transaction(reset) }),
  'sandbox',
);

const counters = program.command('counters').description('the counts of leads that lists and reports read');

add(
  counters,
  'verify',
  'recount all leads and tell which counters differ; exit code 1 when one does',
  ({ db }, { repair = false }) => verifyCounters(db, repair),
).option('--repair', 'build them anew when one differs; writers wait meanwhile');

/** Without a fixed environment the command asks for one. */
function add(
  parent: Command,
  usage: string,
  description: string,
  run: (target: Target, options: Options, argument: string) => Promise<Report>,
  fixed?: Environment,
): Command {
  const added = parent.command(usage).description(description);
  if (fixed === undefined) {
    added.addOption(
      new Option('--environment <environment>', 'which one; never guessed, since the commands change it')
        .choices(environments)
        .makeOptionMandatory(),
    );
  }
  return added
    .option('--json', 'one JSON document on stdout, nothing else')
    .action(async (...args: unknown[]) => {
      const command = args.at(-1) as Command;
      const options = command.opts<Options>();
      const report = await withDatabase(fixed ?? options.environment, (target) =>
        run(target, options, command.args[0] ?? ''),
      );
      if (report.failed) process.exitCode = 1;
      process.stdout.write(options.json ? `${JSON.stringify(report.data, null, 2)}\n` : readable(report));
    });
}

/** Works before the first start too: then it makes the databases, and migrates. */
async function withDatabase<T>(environment: Environment, run: (target: Target) => Promise<T>): Promise<T> {
  const config = loadConfig();
  const databases = await openDatabases(config);
  try {
    await migrate(databases[environment]);
    // A command may take its time: an import, or a count of millions.
    const db = createKnex(databases[environment], 1, Number.POSITIVE_INFINITY);
    try {
      return await run({ db, environment, config });
    } finally {
      await db.destroy();
    }
  } finally {
    await databases.stop();
  }
}

/** The secret is changed by now, so it must be shown, come what may. */
function warn(error: Error): void {
  process.stderr.write(`credentials.json keeps the old secret: ${error.message}\n`);
}

function integer(maximum: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,10}$/.test(text) && Number(text) <= maximum) return Number(text);
    throw new InvalidArgumentError(`Give a whole number from 0 to ${maximum}.`);
  };
}

function instant(text: string): Date {
  const isDays = /^[1-9]\d{0,3}$/.test(text);
  const isInstant = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text);
  const date = new Date(isDays ? Date.now() + Number(text) * DAY : isInstant ? text : Number.NaN);
  if (!Number.isNaN(date.getTime())) return date;
  throw new InvalidArgumentError(
    'Give a number of days (1 to 9999) or an instant like 2030-01-31T00:00:00Z.',
  );
}

// By the exit's way, so that a server which this command started ends with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

try {
  await program.parseAsync();
} catch (error) {
  const isUsage = error instanceof CommanderError;
  if (!isUsage) process.stderr.write(`${explain(error)}\n`);
  process.exitCode = isUsage ? (error.exitCode === 0 ? 0 : 2) : 1;
}
