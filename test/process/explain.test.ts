import { getSystemErrorMap } from 'node:util';
import { describe, expect, it } from 'vitest';
import { explainError } from '../../src/process/explain.ts';

/** An error as node-postgres throws it. */
function refusal(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, severity: 'FATAL' });
}

describe('a PostgreSQL error is explained, with a remedy if there is one', () => {
  it.each([
    [
      '28P01',
      'password authentication failed for user "api"',
      /Check the user and the password in DATABASE_URL/,
    ],
    ['28000', 'no pg_hba.conf entry for host "10.0.0.1", user "api"', /that pg_hba.conf lets it in\.$/],
    ['3D000', 'database "leads" does not exist', /Create it as docs\/postgresql\.md says/],
    ['42501', 'permission denied for database "leads"', /Run: GRANT CONNECT, TEMPORARY ON DATABASE/],
    ['42501', 'must be owner of table leads', /The role of the service must own the tables/],
    ['53300', 'sorry, too many clients already', /lower DATABASE_POOL_SIZE/],
    ['08P01', 'unsupported startup parameter: options', /The pooler does not take it/],
    ['42P01', 'relation "a - b" does not exist', /does not exist\.$/],
    ['53100', 'could not extend file "base/1/2": No space left on device', /on device\.$/],
  ])('%s: %s', (code, message, remedy) => {
    const told = explainError(refusal(code, message));
    expect(told.startsWith(`PostgreSQL says: ${message}.`)).toBe(true);
    expect(told).toMatch(remedy);
  });
});

describe('a connection error is explained', () => {
  it.each([
    ['lost while writing', 'EPIPE', 'write EPIPE'],
    ['lost while reading', 'ECONNRESET', 'read ECONNRESET'],
    ['lost because the server shuts down', '57P01', 'terminating connection due to administrator command'],
  ])('%s', (_when, code, message) => {
    const error = Object.assign(new Error(message), { code });
    expect(explainError(error)).toBe('The connection to the database was lost.');
  });

  it.each([
    ['production', 'DATABASE_URL', 'DATABASE_URL'],
    ['sandbox', 'DATABASE_DIRECT_URL', 'SANDBOX_DATABASE_DIRECT_URL'],
  ] as const)('with the database that it is about: %s, %s', (environment, variable, named) => {
    const about = { environment, variable, place: 'db:5432/leads' };
    const told = (message: string, code?: string) =>
      explainError(Object.assign(new Error(message), { ...(code && { code }) }, about));
    const database = `${environment} database at db:5432/leads`;
    expect(told('getaddrinfo ENOTFOUND db', 'ENOTFOUND')).toBe(
      `The ${database} can't be reached (ENOTFOUND). Start it, or correct ${named}.`,
    );
    expect(told('timeout expired')).toBe(`The ${database} doesn't answer. Start it, or correct ${named}.`);
    expect(told('write EPIPE', 'EPIPE')).toBe(`The connection to the ${database} was lost.`);
    expect(told('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT')).toBe(
      `The ${database} can't be used: self-signed certificate.`,
    );
    expect(explainError(Object.assign(refusal('28P01', 'no'), about))).toBe(
      `The ${database} can't be used. PostgreSQL says: no. Check the user and the password in ${named}.`,
    );
  });

  it('never established', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(explainError(error)).toBe("The database can't be reached (ECONNREFUSED).");
  });
});

/** An error as Node throws it. */
function fileFault(code: string, syscall: string, path: string): Error {
  return Object.assign(new Error(`${code}, ${syscall} '${path}'`), {
    code,
    syscall,
    path,
    errno: errors[code],
  });
}

const errors: Record<string, number> = Object.fromEntries(
  [...getSystemErrorMap()].map(([errno, [name]]) => [name, errno]),
);

describe('a file error is explained in one sentence', () => {
  it.each([
    ['ENOENT', 'open', "/a can't be opened: no such file or directory."],
    ['EROFS', 'mkdir', "The folder /a can't be created: read-only file system."],
    ['EROFS', 'unlink', "/a can't be deleted: read-only file system."],
    ['EACCES', 'scandir', "The folder /a can't be read: permission denied."],
    ['EACCES', 'access', "/a can't be written: permission denied."],
    ['ENOSPC', 'write', "/a can't be written: no space left on device."],
    ['EIO', 'fsync', "/a can't be used: i/o error."],
  ])('%s, %s', (code, syscall, sentence) => {
    expect(explainError(fileFault(code, syscall, '/a'))).toBe(sentence);
  });

  it('with a path that can be pasted', () => {
    expect(explainError(fileFault('EROFS', 'unlink', "/Ada's file"))).toBe(
      "'/Ada'\\''s file' can't be deleted: read-only file system.",
    );
  });
});
