import type { Command } from 'commander';
import { parseScopes } from '../scopes.ts';
import { add, Repeatable, register } from './command.ts';
import { parseExpiry } from './values.ts';

/** Adds `clients`, `keys`, `signing-keys` and `secret-key`. */
export function addClientCommands(program: Command): void {
  addClients(program.command('clients').description('API clients, which can obtain tokens'));
  addKeys(program.command('keys').description('API keys: long-lived credentials of an API client'));
  addSigningKeys(program.command('signing-keys').description('keys that sign access tokens'));
  register(
    program.command('secret-key').description('the key that encrypts stored secrets'),
    'rotate',
    'encrypt all stored secrets again with SECRET_KEY; needs SECRET_KEY_OTHER, the key so far',
    async () => {
      const { rotateSecretKey } = await import('./secret-key.ts');
      return rotateSecretKey();
    },
  );
}

function addClients(clients: Command): void {
  add(
    clients,
    'create',
    'create a client; its secret is shown only once',
    async (target, { name, scopes = ['read write'] }) => {
      const { describeClients, registerClient } = await import('../clients/operator.ts');
      const granted = parseScopes(scopes.join(' '));
      const client = await registerClient(target, { name, scopes: granted });
      const namesakes = (await describeClients(target.db)).filter(
        (other) => other.name === name && other.disabled_at === null && other.client_id !== client.client_id,
      );
      warnOfNamesakes(name, namesakes);
      return {
        title: 'Created an API client. Its secret is shown only once:',
        data: { ...client, name, scopes: granted.join(' ') },
      };
    },
  )
    .requiredOption('--name <name>', 'who uses the client')
    .addOption(
      scopesOption(
        'what it may do, such as "leads:read leads:write"; admin is only ever granted by name (default: "read write")',
      ),
    );

  add(clients, 'list', 'list all clients, including disabled ones', async ({ db }) => {
    const { describeClients } = await import('../clients/operator.ts');
    return { title: 'API clients:', data: await describeClients(db) };
  });

  add(
    clients,
    'rotate-secret <client_id>',
    'replace the secret, which is shown only once; the old one stops working immediately, its tokens within an hour',
    async (target, { revokeTokens }, clientId) => {
      const { rotateSecret } = await import('../clients/operator.ts');
      const { replaceCredentials } = await import('../process/credentials-file.ts');
      const { reportWait } = await import('../process/databases.ts');
      const client = await rotateSecret(target, clientId, { startedAt: 0, revokeTokens });
      await replaceCredentials(target, client, reportWait).catch(warn);
      const tokens = revokeTokens
        ? 'Its tokens are revoked.'
        : 'Tokens of the old secret stay valid for up to an hour; --revoke-tokens would have ended them.';
      return {
        title: `The client has a new secret, which is shown only once. ${tokens}`,
        data: { ...client },
      };
    },
  ).option('--revoke-tokens', "end the client's tokens too, within a second; API keys stay valid");

  add(
    clients,
    'disable <client_id>',
    'disable a client: its secret, tokens and API keys are rejected, its jobs end, and its webhooks are paused',
    async (target, _options, clientId) => {
      const { disableClient } = await import('../clients/operator.ts');
      const { ending_jobs, paused_webhooks, enabled_inbound_hooks, ...client } = await disableClient(
        target,
        clientId,
      );
      const effects = { ending_jobs, paused_webhooks, enabled_inbound_hooks };
      const shown = Object.entries(effects).map(([name, ids]) => [name, ids.join(' ') || null]);
      return {
        title: 'The client is disabled. Its inbound hooks go on:',
        data: { ...client, ...Object.fromEntries(shown) },
        json: { ...client, ...effects },
      };
    },
  );

  add(
    clients,
    'enable <client_id>',
    'enable a client again: its secret works again, and so do tokens and API keys that are still valid; its webhooks stay paused',
    async (target, _options, clientId) => {
      const { enableClient } = await import('../clients/operator.ts');
      return { title: 'The client is enabled:', data: await enableClient(target, clientId) };
    },
  );
}

function addKeys(keys: Command): void {
  add(keys, 'create', 'create a key; it is shown only once', async (target, options) => {
    const { issueApiKey } = await import('../clients/operator.ts');
    const { client, name, scopes, expires = null } = options;
    const key = await issueApiKey(target, {
      clientId: client,
      name,
      scopes: scopes && parseScopes(scopes.join(' ')),
      expiresAt: expires,
    });
    return { title: 'Created an API key. It is shown only once:', data: key };
  })
    .requiredOption('--client <client_id>', 'the client that the key belongs to')
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(scopesOption('what it may do, such as "leads:read" (default: all scopes of the client)'))
    .option(
      '--expires <when>',
      'a number of days, or a timestamp such as 2030-01-31T00:00:00Z (default: never)',
      parseExpiry,
    );

  add(keys, 'list', 'list all keys, including revoked ones', async ({ db }, { client }) => {
    const { describeApiKeys } = await import('../clients/operator.ts');
    return { title: 'API keys:', data: await describeApiKeys(db, client) };
  }).option('--client <client_id>', 'only keys of this client');

  add(
    keys,
    'revoke <key>',
    'revoke a key permanently, by its id or by the key itself',
    async (target, _options, key) => {
      const { withdrawApiKey } = await import('../clients/operator.ts');
      return { title: 'The API key is revoked:', data: await withdrawApiKey(target, key) };
    },
  );
}

function addSigningKeys(signingKeys: Command): void {
  add(
    signingKeys,
    'rotate',
    'sign with a new key from now on; the old one stays valid until its last token expires',
    async (target) => {
      const { replaceSigningKey } = await import('../clients/operator.ts');
      const { openSecretKey } = await import('../process/secret-key.ts');
      const kid = await replaceSigningKey(target, await openSecretKey(target.config), { startedAt: 0 });
      return { title: 'Tokens are now signed with a new key:', data: { kid } };
    },
  );
}

function scopesOption(description: string): Repeatable {
  return new Repeatable(
    '--scopes <scopes>',
    `${description}; separate several with spaces, or repeat the option`,
  );
}

/** A command that was pasted twice creates a second client, which nobody may notice. */
function warnOfNamesakes(name: string, clients: readonly { client_id: string }[]): void {
  if (clients.length === 0) return;
  const ids = clients.map(({ client_id }) => client_id).join(', ');
  process.stderr.write(
    `Another enabled client is called ${name} too: ${ids}. If you need only one, run clients disable for the other. ` +
      'If you have lost a secret, clients rotate-secret replaces it.\n',
  );
}

/** Only warns: the secret has already changed, so the command must print it in any case. */
function warn(error: Error): void {
  process.stderr.write(`credentials.json still has the old secret: ${error.message}\n`);
}
