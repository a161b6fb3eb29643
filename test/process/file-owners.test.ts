/** What a command writes stays usable for the service, whoever runs the command. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import {
  cleanUp,
  cli,
  cliJson,
  credentialsOf,
  getToken,
  newDataDir,
  preparedDataDir,
  run,
  startServer,
} from '../support/process.ts';

afterAll(cleanUp);

const isRoot = process.getuid?.() === 0;
/** The account daemon. */
const user = { uid: 1, gid: 1 };
const sandbox = ['--environment', 'sandbox'];

const ownerAndMode = (file: string) => {
  const { uid, gid, mode } = statSync(file);
  return { uid, gid, mode: (mode & 0o777).toString(8) };
};

/** A data folder of the service's user, which root has created. */
async function dataDirOfUser(): Promise<string> {
  const dataDir = newDataDir();
  chownSync(dataDir, user.uid, user.gid);
  expect(await cli({ DATA_DIR: dataDir }, 'init')).toMatchObject({ code: 0, stderr: '' });
  return dataDir;
}

/** Starts the service as its user. Returns its output when it listens or has ended. */
async function startAsUser(dataDir: string) {
  const options = [
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    process.execPath,
    'src/server.ts',
  ];
  const { child, output, exited } = run('setpriv', options, { DATA_DIR: dataDir, PORT: '0', HOME: dataDir });
  let hasEnded = false;
  void exited.then(() => {
    hasEnded = true;
  });
  while (!hasEnded && !output.stdout.includes('/docs\n')) await sleep(20);
  child.kill('SIGTERM');
  return { code: await exited, ...output };
}

describe.runIf(isRoot)('after root has run commands in the folder of the service’s user', () => {
  it('all files belong to that user, and the service starts', async () => {
    const dataDir = await dataDirOfUser();
    for (const name of readdirSync(dataDir))
      expect({ name, ...ownerAndMode(join(dataDir, name)) }).toMatchObject({ name, ...user });
    for (const name of ['credentials.json', 'secret.key', 'postgres.log', 'postgres/password'])
      expect({ name, ...ownerAndMode(join(dataDir, name)) }).toEqual({ name, ...user, mode: '600' });
    expect(await startAsUser(dataDir)).toMatchObject({ code: 0 });
  });

  it('a rotated secret leaves credentials.json its owner and mode, and the service starts', async () => {
    const dataDir = await dataDirOfUser();
    const file = join(dataDir, 'credentials.json');
    chmodSync(file, 0o640);
    const { client_id } = credentialsOf(dataDir).sandbox;
    const rotated = await cliJson({ DATA_DIR: dataDir }, 'clients', 'rotate-secret', client_id, ...sandbox);
    expect(credentialsOf(dataDir).sandbox.client_secret).toBe(rotated.client_secret);
    expect(ownerAndMode(file)).toEqual({ ...user, mode: '640' });
    expect(await startAsUser(dataDir)).toMatchObject({ code: 0 });
  });

  it('an unreadable credentials.json is a warning, and stays as it is', async () => {
    const dataDir = await dataDirOfUser();
    const file = join(dataDir, 'credentials.json');
    const before = readFileSync(file, 'utf8');
    chownSync(file, 0, 0);
    const { code, stderr } = await startAsUser(dataDir);
    expect(code).toBe(0);
    const warnings = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level === 40);
    expect(warnings).toEqual(
      ['production', 'sandbox'].map((environment) =>
        expect.objectContaining({
          environment,
          msg: expect.stringMatching(
            /credentials\.json can't be read\. It belongs to another user: .+ The service runs without the file\.$/,
          ),
        }),
      ),
    );
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(ownerAndMode(file)).toEqual({ uid: 0, gid: 0, mode: '600' });
  });
});

describe('a service', () => {
  it.each([
    [
      'is malformed',
      (file: string) => writeFileSync(file, '{"production": lps_live_secret}'),
      /credentials\.json is malformed\. Fix or delete it\. The service runs without the file\.$/,
    ],
    [
      'is a folder',
      (file: string) => mkdirSync(file),
      /credentials\.json can't be read: .+\. The service runs without the file\.$/,
    ],
  ])('starts although credentials.json %s, and does not log its content', async (_what, spoil, message) => {
    const dataDir = preparedDataDir();
    const made = await cliJson<{ client_id: string; client_secret: string }>(
      { DATA_DIR: dataDir },
      'clients',
      'create',
      '--name',
      'Ada',
      ...sandbox,
    );
    rmSync(join(dataDir, 'credentials.json'), { force: true });
    spoil(join(dataDir, 'credentials.json'));
    const server = await startServer({ DATA_DIR: dataDir });
    expect(await getToken(`${server.url}/sandbox/v1`, made)).toBeTruthy();
    expect(await server.stop()).toBe(0);
    const warnings = server.log().filter(({ level }) => level === 40);
    expect(warnings.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(message),
      expect.stringMatching(message),
    ]);
    expect(server.output.stderr).not.toContain('lps_');
  });
});
