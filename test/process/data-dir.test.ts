/** A DATA_DIR that can't be used: the start fails within seconds, and says why and what to do. */
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, failedStart, newDataDir, preparedDataDir, run } from '../support/process.ts';

afterAll(cleanUp);

const isRoot = process.getuid?.() === 0;
const ordinary = { uid: 65_533, gid: 65_533 };
const REMEDY = 'set DATA_DIR to a folder that you may write to.\n';

/** Starts the service as a user without rights. As this user, unless this is root. */
async function failedStartAsOrdinaryUser(dataDir: string) {
  if (!isRoot) return failedStart({ DATA_DIR: dataDir });
  const { uid, gid } = ordinary;
  const options = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', process.execPath, 'src/server.ts'];
  const { output, exited } = run('setpriv', options, { DATA_DIR: dataDir, PORT: '0' });
  return { code: await exited, ...output };
}

/** A folder that an ordinary user can enter. */
function openFolder(): string {
  const folder = newDataDir();
  chmodSync(folder, 0o755);
  return folder;
}

const file = join(openFolder(), 'file');
writeFileSync(file, '');
const gone = join(openFolder(), 'link');
symlinkSync('/nowhere', gone);

describe.each([
  ['as this user', (dataDir: string) => failedStart({ DATA_DIR: dataDir })],
  ['as a user without rights', failedStartAsOrdinaryUser],
])('%s', (_who, start) => {
  it.each([
    ['a file', file, `DATA_DIR is ${file}, which is not a folder: ${REMEDY}`],
    [
      'a folder in a file',
      join(file, 'a/b'),
      `DATA_DIR is ${file}/a/b, but ${file} is not a folder: ${REMEDY}`,
    ],
    ['a device', '/dev/null', `DATA_DIR is /dev/null, which is not a folder: ${REMEDY}`],
    [
      'a folder in a device',
      '/dev/null/x',
      `DATA_DIR is /dev/null/x, but /dev/null is not a folder: ${REMEDY}`,
    ],
    [
      'a link to nothing',
      gone,
      `DATA_DIR is ${gone}, but files can't be stored there (no such file or directory): ${REMEDY}`,
    ],
  ])('%s', async (_what, dataDir, stderr) => {
    expect(await start(dataDir)).toEqual({ code: 1, stdout: '', stderr });
  });

  it.runIf(process.platform === 'linux').each(['/proc/x', '/proc/self/x', '/sys/x'])(
    '%s',
    async (dataDir) => {
      const { code, stderr } = await start(dataDir);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^DATA_DIR is (\S+), but the folder \1 can't be created \([a-z ]+\): set DATA_DIR .+\n$/,
      );
    },
  );
});

describe('a folder in which this user may not write', () => {
  it('of another user, before and after its first start', async () => {
    const dataDir = isRoot ? openFolder() : '/etc';
    expect(await failedStartAsOrdinaryUser(dataDir)).toEqual({
      code: 1,
      stdout: '',
      stderr: `DATA_DIR is ${dataDir}, which belongs to another user: run this as that user, or ${REMEDY}`,
    });
    expect(readdirSync(dataDir)).not.toContain('secret.key');
  });

  it('of its own', async () => {
    const dataDir = openFolder();
    if (isRoot) chownSync(dataDir, ordinary.uid, ordinary.gid);
    chmodSync(dataDir, 0o555);
    expect(await failedStartAsOrdinaryUser(dataDir)).toEqual({
      code: 1,
      stdout: '',
      stderr: `DATA_DIR is ${dataDir}, but files can't be stored there (permission denied): ${REMEDY}`,
    });
  });

  it('whose name needs quotes is named with them', async () => {
    const dataDir = join(openFolder(), "Ada's leads");
    writeFileSync(dataDir, '');
    const quoted = `'${dataDir.replace("'", "'\\''")}'`;
    const { stderr } = await failedStart({ DATA_DIR: dataDir });
    expect(stderr).toBe(`DATA_DIR is ${quoted}, which is not a folder: ${REMEDY}`);
  });
});

describe('secret.key', () => {
  it('is not created beside a database that lacks other files', async () => {
    const dataDir = preparedDataDir();
    for (const name of ['secret.key', 'postgres/password']) rmSync(join(dataDir, name), { force: true });
    const { code, stderr } = await failedStart({ DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /secret\.key is missing, and the database in \S+ was made with it\. Restore the file .+\n$/,
    );
    expect(readdirSync(dataDir)).not.toContain('secret.key');
  });

  it('that is damaged is reported with a remedy, and not with its content', async () => {
    const dataDir = preparedDataDir();
    const key = join(dataDir, 'secret.key');
    writeFileSync(key, 'c2hvcnQ=');
    const { code, stderr } = await failedStart({ DATA_DIR: dataDir });
    expect([code, stderr]).toEqual([
      1,
      `${key} must contain 32 bytes in base64, but contains 5. Restore the file from your backup, or set SECRET_KEY to ` +
        'what it contained.\n',
    ]);
  });

  it('a folder in the place of secret.key is reported', async () => {
    const name = 'secret.key';
    const dataDir = preparedDataDir();
    rmSync(join(dataDir, name), { force: true });
    mkdirSync(join(dataDir, name));
    const { code, stderr } = await failedStart({ DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(stderr.trim().split('\n').at(-1)).toMatch(new RegExp(`${name}.* can't be read: .+\\.$`));
  });
});
