import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config.ts';

const databases = {
  DATABASE_URL: 'postgres://api:hunter2@pooler.example.com:6432/leads',
  SANDBOX_DATABASE_URL: 'postgres://api:hunter2@pooler.example.com:6432/leads_sandbox',
  SECRET_KEY: '0123456789abcdef'.repeat(4),
};
const direct = {
  DATABASE_DIRECT_URL: 'postgres://api:hunter2@db.example.com/leads',
  SANDBOX_DATABASE_DIRECT_URL: 'postgres://api:hunter2@db.example.com/leads_sandbox',
};

describe('the configuration of poolers and replicas', () => {
  it('accepts a comma anywhere but between hosts', () => {
    const url = 'postgres://api:hunter,2@db.example.com/leads?options=-c%20search_path%3Done,two';
    expect(loadConfig({ ...databases, DATABASE_URL: url }).databases?.production).toBe(url);
  });

  it('has the direct URLs, and whether the pooler supports prepared statements', () => {
    const config = loadConfig({ ...databases, ...direct, DATABASE_PREPARED_STATEMENTS: 'false' });
    expect(config).toMatchObject({
      databases: { production: databases.DATABASE_URL, sandbox: databases.SANDBOX_DATABASE_URL },
      directDatabases: {
        production: direct.DATABASE_DIRECT_URL,
        sandbox: direct.SANDBOX_DATABASE_DIRECT_URL,
      },
      preparedStatements: false,
    });
    expect(loadConfig({ ...databases, DATABASE_PREPARED_STATEMENTS: 'true' }).preparedStatements).toBe(true);
  });

  it('has the replica URLs', () => {
    const config = loadConfig({
      ...databases,
      DATABASE_REPLICA_URL: 'postgres://api:hunter2@replica.example.com/leads',
      SANDBOX_DATABASE_REPLICA_URL: 'postgres://api:hunter2@replica.example.com/leads_sandbox',
    });
    expect(config.replicas).toEqual({
      production: 'postgres://api:hunter2@replica.example.com/leads',
      sandbox: 'postgres://api:hunter2@replica.example.com/leads_sandbox',
    });
    expect(loadConfig(databases).replicas).toBeUndefined();
  });

  it.each<[string, NodeJS.ProcessEnv, string]>([
    [
      'a direct URL for only one database',
      { ...databases, DATABASE_DIRECT_URL: direct.DATABASE_DIRECT_URL },
      'SANDBOX_DATABASE_DIRECT_URL is missing: DATABASE_DIRECT_URL is set, and both are required together.',
    ],
    [
      'the same direct URL for both databases',
      { ...databases, ...direct, SANDBOX_DATABASE_DIRECT_URL: direct.DATABASE_DIRECT_URL },
      'SANDBOX_DATABASE_DIRECT_URL names the same database as DATABASE_DIRECT_URL: it must be a different one.',
    ],
    [
      'direct URLs without DATABASE_URL',
      direct,
      'DATABASE_DIRECT_URL is set without DATABASE_URL: it is the way around the pooler in DATABASE_URL.',
    ],
    [
      'a replica of only one database',
      { ...databases, SANDBOX_DATABASE_REPLICA_URL: direct.SANDBOX_DATABASE_DIRECT_URL },
      'DATABASE_REPLICA_URL is missing: SANDBOX_DATABASE_REPLICA_URL is set, and both are required together.',
    ],
    [
      'replicas without DATABASE_URL',
      {
        DATABASE_REPLICA_URL: direct.DATABASE_DIRECT_URL,
        SANDBOX_DATABASE_REPLICA_URL: direct.SANDBOX_DATABASE_DIRECT_URL,
      },
      'DATABASE_REPLICA_URL is set without DATABASE_URL: it is a replica of that database.',
    ],
    [
      'an invalid direct URL',
      { ...databases, ...direct, DATABASE_DIRECT_URL: 'db.example.com' },
      'DATABASE_DIRECT_URL is invalid: it must be postgres://user:password@host:port/database.',
    ],
    ...(
      [
        ['several hosts', 'one.example.com,two.example.com', ''],
        ['several hosts with ports', 'one.example.com:5432,two.example.com:5433', ''],
        ['several hosts in a parameter', 'one.example.com', '?host=one.example.com,two.example.com'],
        ['several ports', '', '?host=one.example.com&port=5432%2C5433'],
      ] as const
    ).map(([what, hosts, query]): [string, NodeJS.ProcessEnv, string] => [
      what,
      { ...databases, DATABASE_URL: `postgres://api:hunter,2@${hosts}/leads${query}` },
      'DATABASE_URL names several hosts, and the service takes one: put HAProxy or PgBouncer in front of the servers, ' +
        'and name its address. docs/postgresql.md says how it follows a failover.',
    ]),
    ...['target_session_attrs=read-write', 'load_balance_hosts=random', 'hostaddr=10.0.0.1'].map(
      (parameter): [string, NodeJS.ProcessEnv, string] => [
        `a choice among servers: ${parameter}`,
        {
          ...databases,
          SANDBOX_DATABASE_URL: `${databases.SANDBOX_DATABASE_URL}?sslmode=require&${parameter}`,
        },
        `SANDBOX_DATABASE_URL has the parameter ${parameter.split('=')[0]}, which the service does not take: it checks ` +
          'itself that DATABASE_URL leads to the primary, and DATABASE_REPLICA_URL to a standby. Remove the parameter.',
      ],
    ),
    [
      'a value for prepared statements that is not a boolean',
      { ...databases, DATABASE_PREPARED_STATEMENTS: 'sometimes' },
      'DATABASE_PREPARED_STATEMENTS is "sometimes": it must be true or false.',
    ],
  ])('refuses %s', (_what, env, fault) => {
    expect(() => loadConfig(env)).toThrow(new ConfigError(fault));
  });
});
