import { constants } from 'node:os';
import { getSystemErrorMessage } from 'node:util';
import { CommanderError, Option } from 'commander';
import { schemas } from '../generated/limits.ts';
import { add, StrictCommand } from './cli/command.ts';
import { addDatabaseCommands } from './cli/database-commands.ts';
import { addFilters, queryOf } from './cli/filters.ts';
import { addImportCommand } from './cli/import-command.ts';
import { parseExpiry, parseInteger } from './cli/values.ts';
import { explainError } from './process/explain.ts';
import { parseScopes } from './scopes.ts';

// Each command loads its modules only when it runs, so that it starts fast.

const { seed, leads } = schemas.SeedSandbox;
/** More than a request can add within its time limit. */
const MAX_SEEDED_LEADS = 100_000;

const program = new StrictCommand('lead-pipeline')
  .description('Operator commands. They work while a server is running; it picks up changes within a second.')
  .showSuggestionAfterError(false)
  .exitOverride();

const clients = program.command('clients').description('API clients, which can obtain tokens');

add(
  clients,
  'create',
  'create a client; its secret is shown only once',
  async (target, { name, scopes = '' }) => {
    const { registerClient } = await import('./clients/operator.ts');
    const client = await registerClient(target, { name, scopes: parseScopes(scopes) });
    return {
      title: 'Created an API client. Its secret is shown only once:',
      data: { ...client, name, scopes },
    };
  },
)
  .requiredOption('--name <name>', 'who uses the client')
  .option('--scopes <scopes>', 'space-separated scopes; admin is only ever granted by name', 'read write');

add(clients, 'list', 'list all clients, including disabled ones', async ({ db }) => {
  const { describeClients } = await import('./clients/operator.ts');
  return { title: 'API clients:', data: await describeClients(db) };
});

add(
  clients,
  'rotate-secret <client_id>',
  'replace the secret, which is shown only once; the old one stops working immediately, tokens stay valid',
  async (target, _options, clientId) => {
    const { rotateSecret } = await import('./clients/operator.ts');
    const { replaceCredentials } = await import('./process/credentials-file.ts');
    const client = await rotateSecret(target, clientId);
    await replaceCredentials(target, client).catch(warn);
    return { title: 'The client has a new secret. It is shown only once:', data: { ...client } };
  },
);

add(
  clients,
  'disable <client_id>',
  'disable a client: its secret, tokens and API keys are rejected',
  async (target, _options, clientId) => {
    const { setClientDisabled } = await import('./clients/operator.ts');
    return { title: 'The client is disabled:', data: await setClientDisabled(target, clientId) };
  },
);

add(
  clients,
  'enable <client_id>',
  'enable a client again: its secret works again, and so do tokens and API keys that are still valid',
  async (target, _options, clientId) => {
    const { setClientDisabled } = await import('./clients/operator.ts');
    return { title: 'The client is enabled:', data: await setClientDisabled(target, clientId, false) };
  },
);

const keys = program.command('keys').description('API keys: long-lived credentials of an API client');

add(keys, 'create', 'create a key; it is shown only once', async (target, options) => {
  const { issueApiKey } = await import('./clients/operator.ts');
  const key = await issueApiKey(target, {
    clientId: options.client,
    name: options.name,
    scopes: options.scopes === undefined ? undefined : parseScopes(options.scopes),
    expiresAt: options.expires ?? null,
  });
  return { title: 'Created an API key. It is shown only once:', data: key };
})
  .requiredOption('--client <client_id>', 'the client that the key belongs to')
  .requiredOption('--name <name>', 'what the key is for')
  .option('--scopes <scopes>', 'space-separated scopes (default: all scopes of the client)')
  .option('--expires <when>', 'a number of days, or a timestamp such as 2030-01-31T00:00:00Z', parseExpiry);

add(keys, 'list', 'list all keys, including revoked ones', async ({ db }, { client }) => {
  const { describeApiKeys } = await import('./clients/operator.ts');
  return { title: 'API keys:', data: await describeApiKeys(db, client) };
}).option('--client <client_id>', 'only keys of this client');

add(
  keys,
  'revoke <key>',
  'revoke a key permanently, by its id or by the key itself',
  async (target, _options, key) => {
    const { withdrawApiKey } = await import('./clients/operator.ts');
    return { title: 'The API key is revoked:', data: await withdrawApiKey(target, key) };
  },
);

const signingKeys = program.command('signing-keys').description('keys that sign access tokens');

add(
  signingKeys,
  'rotate',
  'sign with a new key from now on; the old one stays valid until its last token expires',
  async (target) => {
    const { replaceSigningKey } = await import('./clients/operator.ts');
    const { openSecretKey } = await import('./process/secret-key.ts');
    const kid = await replaceSigningKey(target, await openSecretKey(target.config));
    return { title: 'Tokens are now signed with a new key:', data: { kid } };
  },
);

const sandbox = program.command('sandbox').description("the sandbox's data; production is never touched");

add(
  sandbox,
  'seed',
  'add users, contacts, content and leads, generated from a seed',
  async ({ db }, { seed, leads }) => {
    const { createProgress } = await import('./sandbox/progress.ts');
    const { seedData } = await import('./sandbox/seed.ts');
    const onProgress = createProgress(process.stderr, leads);
    const counts = await db.transaction((trx) =>
      seedData(trx, { seed, leads, requestId: 'cli-sandbox-seed', onProgress }),
    );
    return { title: 'The sandbox has new data:', data: { seed, ...counts } };
  },
  'sandbox',
)
  .option('--seed <number>', 'the same seed generates the same data', parseInteger(seed), seed.default)
  .option(
    '--leads <number>',
    'number of leads',
    parseInteger({ ...leads, maximum: MAX_SEEDED_LEADS }),
    leads.default,
  );

add(
  sandbox,
  'reset',
  'delete all users, contacts, content and leads; clients, keys and tokens are kept',
  async ({ db }) => {
    const { reset } = await import('./sandbox/queries.ts');
    return { title: 'The sandbox is empty. Deleted:', data: await db.transaction(reset) };
  },
  'sandbox',
);

const counters = program.command('counters').description('the lead counts that lists and reports read');

add(
  counters,
  'verify',
  'recount all leads and list the counters that differ; exit code 1 if any do',
  async ({ db }, { repair = false }) => {
    const { verifyCounters } = await import('./cli/verify-counters.ts');
    return verifyCounters(db, repair);
  },
).option('--repair', 'rebuild all counters if any differ; writes wait until it has finished');

const exports = program
  .command('export')
  .description('export leads or contacts to a file, like GET /leads/export');

for (const kind of ['leads', 'contacts'] as const) {
  const command = add(
    exports,
    kind,
    `write all matching ${kind} to a file; takes the filters of GET /${kind}`,
    async ({ db, databaseUrl }, options) => {
      const { exportFile } = await import('./cli/export-file.ts');
      return exportFile(kind, { db, databaseUrl, query: queryOf(kind, options), ...options });
    },
  )
    .addOption(
      new Option('--format <format>', 'the format of the file').choices(['csv', 'ndjson']).default('csv'),
    )
    .requiredOption('-o, --output <file>', 'the file, replaced if it exists; - is standard output');
  addFilters(command, kind);
}

addImportCommand(program);
addDatabaseCommands(program);

/** Only warns: the secret has already changed, so the command must print it in any case. */
function warn(error: Error): void {
  process.stderr.write(`credentials.json still has the old secret: ${error.message}\n`);
}

// Exits with the code that a shell would report. An embedded server that this command started stops, too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

// If a reader such as `head` closes the pipe, the exit code is that of SIGPIPE.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE')
    process.stderr.write(`Standard output can't be written: ${getSystemErrorMessage(error.errno ?? 0)}.\n`);
  process.exit(error.code === 'EPIPE' ? 128 + constants.signals.SIGPIPE : 1);
});
process.stderr.on('error', () => {});

try {
  await program.parseAsync();
} catch (error) {
  const isUsage = error instanceof CommanderError;
  if (!isUsage) process.stderr.write(`${explainError(error)}\n`);
  process.exitCode = isUsage ? (error.exitCode === 0 ? 0 : 2) : 1;
}
