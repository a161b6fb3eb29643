/** What the operator chapters and the files in deploy keep from leaking, and from filling a disk. */
import { globSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { commandLine } from '../../src/embedded-postgres/processes.ts';
import { freePort } from '../../src/process/free-port.ts';
import { operatorChapters } from '../support/chapter.ts';
import { project } from '../support/embedded.ts';
import { commandsOf, readPage } from '../support/markdown.ts';
import { cleanUp, newDataDir, run } from '../support/process.ts';
import { missing } from '../support/programs.ts';
import { compose } from '../support/workloads.ts';

afterAll(cleanUp);

describe('passwords', () => {
  const files = [
    'compose.yaml',
    ...globSync('deploy/**/*.{yaml,yml,env,cfg,conf,service}', { cwd: project }),
  ];

  it('are in no argument of a command in the operator chapters and in deploy', () => {
    const blocks = operatorChapters().flatMap((path) => commandsOf(readPage(path)).map(({ text }) => text));
    const lines = [...blocks, ...files.map(readPage)].flatMap((text) => text.split('\n'));
    // A URL with a password, or an option for one, behind the name of a program.
    const leaks =
      /\b(psql|pg_\w+|redis-(cli|server)|curl|kubectl|docker)\b.*(:\/\/[^ /]*:[^ /]*@|--(requirepass|from-literal|password=)| -a )|PASSWORD '/;
    expect(lines.filter((line) => leaks.test(line))).toEqual([]);
    expect(compose.services.redis.command.join(' ')).not.toContain('REDIS_PASSWORD');
  });

  it('reach Redis on standard input: it asks for one, and nobody can read it from its arguments', async ({
    skip,
  }) => {
    const none = missing('redis-server');
    if (none !== undefined) skip(none);
    const [program, option, script] = compose.services.redis.command as [string, string, string];
    const port = await freePort();
    const text = script.replaceAll('$$', '$').replace('save ""', `save ""\nport ${port}\nbind 127.0.0.1`);
    const env = { REDISCLI_AUTH: 'made-up', PATH: `${process.env.PATH}:/usr/sbin` };
    const { child, exited, output } = run(program, [option, text], env, newDataDir());
    const ask = async (...commands: string[]) => {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      socket.end(commands.map((command) => `${command}\r\n`).join(''));
      return (await socket.toArray()).join('');
    };
    await expect.poll(() => output.stdout, { timeout: 20_000 }).toContain('Ready to accept connections');
    expect(await ask('PING')).toMatch(/^-NOAUTH/);
    expect(await ask('AUTH made-up', 'PING')).toBe('+OK\r\n+PONG\r\n');
    expect(commandLine(child.pid ?? 0)).toMatch(/^redis-server/);
    expect(commandLine(child.pid ?? 0)).not.toContain('made-up');
    child.kill('SIGTERM');
    await exited;
  });
});

describe('a primary’s disk', () => {
  it('is never filled by the slot of a replica that is gone', () => {
    const { bootstrap } = parse(readPage('deploy/patroni/patroni.yml'));
    expect(bootstrap.dcs.postgresql.parameters.max_slot_wal_keep_size).toBe('10GB');
    expect(compose.services.postgres.command).toContain('max_slot_wal_keep_size=10GB');
    expect(readPage('docs/postgresql.md')).toContain("max_slot_wal_keep_size = '10GB'");
  });
});
