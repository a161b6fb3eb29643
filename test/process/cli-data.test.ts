import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  type DataFolder,
  listDataFolders,
  removeDataFolder,
} from '../../src/embedded-postgres/data-folders.ts';
import { startEmbedded } from '../../src/embedded-postgres/server.ts';
import { cleanUp, cli, cliJson, newDataDir, preparedDataDir, run, startServer } from '../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 60_000 });

const isRoot = process.getuid?.() === 0;

async function listed(dataDir: string): Promise<DataFolder | undefined> {
  return (await listDataFolders(dataDir)).find(({ data_dir }) => data_dir === dataDir);
}

/** Makes a database server, as a first start does. */
async function makeData(dataDir: string): Promise<void> {
  const server = await startEmbedded(dataDir);
  await server.stop();
}

describe('data list and data remove', () => {
  it('show a folder in use with its size, and refuse to remove it', async () => {
    const dataDir = preparedDataDir();
    const server = await startServer({ DATA_DIR: dataDir });
    const folders = await cliJson<DataFolder[]>({ DATA_DIR: dataDir }, 'data', 'list');
    expect(folders.find(({ data_dir }) => data_dir === dataDir)).toEqual({
      data_dir: dataDir,
      database: realpathSync(join(dataDir, 'postgres')),
      size_mib: expect.toSatisfy((size: number) => size > 20 && size < 200),
      status: 'running',
    });
    expect(await cli({}, 'data', 'remove', dataDir)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${dataDir} is in use. Stop the service first.\n`,
    });
    await server.stop();
    expect((await listed(dataDir))?.status).toBe('stopped');
    writeFileSync(join(dataDir, 'notes.txt'), 'mine');
    expect(await cliJson({}, 'data', 'remove', dataDir, '--yes')).toMatchObject({ data_dir: dataDir });
    expect(readdirSync(dataDir)).toEqual(['notes.txt']);
    expect(await listed(dataDir)).toBeUndefined();
  });

  it('remove the whole folder if nothing else is in it', async () => {
    const dataDir = preparedDataDir();
    expect((await cli({}, 'data', 'remove', dataDir, '--yes')).code).toBe(0);
    expect(existsSync(dataDir)).toBe(false);
  });

  it.each([
    ['a folder that is not there', (folder: string) => rmSync(folder, { recursive: true })],
    ['a folder of something else', (folder: string) => writeFileSync(join(folder, 'postgres.log'), 'mine')],
    [
      "somebody else's PostgreSQL folder",
      (folder: string) => mkdirSync(join(folder, 'postgres/data'), { recursive: true }),
    ],
  ])('leave alone: %s', async (_, make) => {
    const folder = newDataDir();
    make(folder);
    const before = existsSync(folder) && readdirSync(folder);
    await expect(removeDataFolder(folder)).rejects.toThrow(
      new Error(`${folder} is not a data folder: it holds no database of this service.`),
    );
    expect(existsSync(folder) && readdirSync(folder)).toEqual(before);
  });

  it("keep a user's own files, also where the user has moved the database", async () => {
    const dataDir = preparedDataDir();
    const disk = newDataDir();
    renameSync(join(dataDir, 'postgres'), join(disk, 'moved'));
    symlinkSync(join(disk, 'moved'), join(dataDir, 'postgres'));
    writeFileSync(join(disk, 'moved/notes.txt'), 'mine');
    expect(await listed(dataDir)).toMatchObject({ database: join(disk, 'moved'), status: 'stopped' });
    await removeDataFolder(dataDir);
    expect([existsSync(dataDir), readdirSync(join(disk, 'moved'))]).toEqual([false, ['notes.txt']]);
  });

  it('read well for a person', async () => {
    const dataDir = preparedDataDir();
    const { stdout } = await cli({ DATA_DIR: dataDir }, 'data', 'list');
    expect(stdout).toMatch(/^Data folders:\n\n {2}data_dir +database +size_mib +status\n/);
    expect((await cli({}, 'data', 'remove')).code).toBe(2);
  });
});

/** At a terminal, which script(1) makes. Answers once the command asks. */
async function removeAtTerminal(
  dataDir: string,
  answer: string,
): Promise<{ code: number | null; shown: string }> {
  const command = `${process.execPath} src/cli.ts data remove ${dataDir}`;
  const options =
    process.platform === 'linux'
      ? ['-qec', command, '/dev/null']
      : ['-q', '/dev/null', ...command.split(' ')];
  const { child, output, exited } = run('script', options, {});
  await vi.waitFor(() => expect(output.stdout).toContain('to continue: '), 30_000);
  child.stdin.write(answer);
  return { code: await exited, shown: output.stdout };
}

describe('data remove asks first', () => {
  const name = (dataDir: string) => dataDir.split('/').at(-1) ?? '';

  it('for the name of the folder, at a terminal', async () => {
    const dataDir = preparedDataDir();
    const { code, shown } = await removeAtTerminal(dataDir, `${name(dataDir)}\n`);
    expect(shown).toContain(`This deletes ${dataDir} permanently: its databases (`);
    expect(code).toBe(0);
    expect(existsSync(dataDir)).toBe(false);
  });

  it.each([
    ['another answer', 'yes\n', 1],
    ['no answer', '\n', 1],
    ['the end of the input', '\x04', 1],
    ['Ctrl-C', '\x03', 130],
  ])('and keeps everything after %s', async (_, answer, expected) => {
    const dataDir = preparedDataDir();
    const before = readdirSync(dataDir);
    const { code, shown } = await removeAtTerminal(dataDir, answer);
    expect(code).toBe(expected);
    if (expected === 1) expect(shown).toContain(`${dataDir} was not deleted.`);
    expect(readdirSync(dataDir)).toEqual(before);
    expect((await listed(dataDir))?.status).toBe('stopped');
  });

  it('and needs --yes without a terminal', async () => {
    const dataDir = preparedDataDir();
    expect(await cli({}, 'data', 'remove', dataDir)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${dataDir} was not deleted. Without a terminal, confirm with --yes.\n`,
    });
    expect((await listed(dataDir))?.status).toBe('stopped');
  });
});

/** As root only: the user postgres can't enter such a folder, so the database lies elsewhere. */
describe.runIf(isRoot)('a database outside of its DATA_DIR', () => {
  const folders: string[] = [];

  afterAll(async () => {
    for (const folder of folders) {
      await removeDataFolder(join(folder, 'data')).catch(() => undefined);
      rmSync(folder, { recursive: true });
    }
  });

  async function privateFolder(): Promise<{ dataDir: string; database: string }> {
    const folder = mkdtempSync(join(tmpdir(), 'private-'));
    chmodSync(folder, 0o700);
    folders.push(folder);
    const dataDir = join(folder, 'data');
    await makeData(dataDir);
    const database = realpathSync(join(dataDir, 'postgres'));
    expect(database).not.toContain(dataDir);
    return { dataDir, database };
  }

  it('goes with its DATA_DIR', async () => {
    const { dataDir, database } = await privateFolder();
    expect(await listed(dataDir)).toMatchObject({ database, status: 'stopped' });
    await removeDataFolder(dataDir);
    expect([existsSync(dataDir), existsSync(database)]).toEqual([false, false]);
  });

  it('is listed as orphaned when its DATA_DIR was deleted, and removed by its own name', async () => {
    const { dataDir, database } = await privateFolder();
    const find = async () =>
      (await listDataFolders(newDataDir())).find((folder) => folder.database === database);
    expect(await find()).toMatchObject({ data_dir: dataDir, status: 'stopped' });
    rmSync(dataDir, { recursive: true });
    expect(await find()).toMatchObject({ data_dir: dataDir, status: 'orphaned' });
    // A DATA_DIR of the same name, made since, is another one's.
    await makeData(dataDir);
    expect(await find()).toMatchObject({ data_dir: dataDir, status: 'orphaned' });
    expect((await cli({}, 'data', 'remove', database, '--yes')).code).toBe(0);
    expect(existsSync(database)).toBe(false);
    expect(await find()).toBeUndefined();
    expect((await listed(dataDir))?.status).toBe('stopped');
    await removeDataFolder(dataDir);
  });
});
