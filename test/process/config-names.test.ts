import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { cleanUp, cli, externalDatabases, startServer } from '../support/process.ts';

afterAll(cleanUp);

const warningsOf = (env: Record<string, string>) => loadConfig(env).warnings;
const says = (name: string, meant: string) => [
  `The variable ${name} is unknown, and has no effect. Did you mean ${meant}?`,
];

describe('a misspelt variable', () => {
  it.each([
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['SANDBOX_DATABASE_ULR', 'SANDBOX_DATABASE_URL'],
    ['WEBHOOK_ALLOW_PRIVAT', 'WEBHOOK_ALLOW_PRIVATE'],
    ['WEBHOOKS_ALLOW_PRIVATE', 'WEBHOOK_ALLOW_PRIVATE'],
    ['TRUST_PROXIES', 'TRUST_PROXY'],
    ['SECRETKEY', 'SECRET_KEY'],
    ['DATA_DRI', 'DATA_DIR'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['ENVIRONMENT', 'ENVIRONMENTS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['METRIC_PORT', 'METRICS_PORT'],
    ['IDEMPOTENCY_STORAGE_MB', 'IDEMPOTENCY_STORAGE_MIB'],
    ['OTEL_EXPORTER_OTLP_ENDPOIN', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ])('is named: %s', (name, meant) => {
    expect(warningsOf({ [name]: '1' })).toEqual(says(name, meant));
  });

  it.each([
    // Of shells, Node, npm, PostgreSQL, OpenTelemetry, CI and platforms.
    'PATH HOME HOSTNAME HOSTTYPE SHELL USER PWD OLDPWD LANG LC_ALL TERM SHLVL EDITOR LOGNAME MAIL TZ TMPDIR POST SORT ROLES',
    'NODE_ENV NODE_OPTIONS NODE_PORT NODE_EXTRA_CA_CERTS npm_config_cache npm_package_version INIT_CWD NODE_COMPILE_CACHE',
    'PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGSSLMODE POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB DATABASE_PASSWORD',
    'DATABASE_USER DATABASE_NAME DATABASE_HOST DATABASE_PORT REDIS_PASSWORD REDIS_HOST REDIS_PORT SECRET_KEY_BASE TLS_CERT',
    'OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_PROTOCOL OTEL_TRACES_SAMPLER OTEL_SERVICE_NAME OTEL_RESOURCE_ATTRIBUTES',
    'KUBERNETES_SERVICE_HOST KUBERNETES_PORT LEAD_PIPELINE_API_PORT CI GITHUB_TOKEN INVOCATION_ID JOURNAL_STREAM',
    'STATE_DIRECTORY CREDENTIALS_DIRECTORY LISTEN_FDS NOTIFY_SOCKET SSH_AUTH_SOCK XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS',
    'METRICS_PATH LOG_FORMAT LOG_FILE DATA_SOURCE PUBLIC_DIR HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy',
  ])('is not seen in variables of other programs: %s', (names) => {
    const env = Object.fromEntries(names.split(' ').map((name) => [name, '1']));
    expect(warningsOf(env)).toEqual([]);
  });

  it('is not seen where the right one is set too, or in the variables of the other environment', () => {
    expect(warningsOf({ TRUST_PROXY: '1', TRUST_PROXIES: '1' })).toEqual([]);
    const env = {
      ENVIRONMENTS: 'production',
      DATABASE_URL: 'postgres://a@localhost/p',
      SANDBOX_DATABASE_URL: 'postgres://a@localhost/s',
      SECRET_KEY: 'a'.repeat(64),
    };
    expect(warningsOf(env)).toEqual([]);
  });

  it('is an error if it is a rate limit, since no other program has such names', () => {
    expect(() => loadConfig({ RATE_LIMIT_READS: '5' })).toThrow(
      /^RATE_LIMIT_READS is unknown: .*RATE_LIMIT_READ,/,
    );
  });

  it('is named beside the faults that it explains', () => {
    expect(() => loadConfig({ DATABASE_URL: 'postgres://a@localhost/p', SECRET_KYE: 'a' })).toThrow(
      /SECRET_KEY is missing(.|\n)+The variable SECRET_KYE is unknown, and has no effect\. Did you mean SECRET_KEY\?$/,
    );
  });

  it('is a warning in the log of the service, and on stderr of a command', async () => {
    const { env } = await externalDatabases();
    const misspelt = { ...env, WEBHOOK_ALLOW_PRIVAT: 'true' };
    const [message = ''] = says('WEBHOOK_ALLOW_PRIVAT', 'WEBHOOK_ALLOW_PRIVATE');
    const server = await startServer(misspelt);
    expect(await server.stop()).toBe(0);
    expect(server.log().filter(({ msg }) => msg === message)).toEqual([
      expect.objectContaining({ level: 40 }),
    ]);
    const { code, stderr } = await cli(misspelt, 'clients', 'list', '--environment', 'sandbox');
    expect(code).toBe(0);
    expect(stderr).toContain(`${message}\n`);
  });
});
