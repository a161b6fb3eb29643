import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Opens a new file that has no name, so that it disappears with the process, even if that is killed. Close it. */
export async function openTemporary(): Promise<FileHandle> {
  const path = join(tmpdir(), `lead-pipeline-import-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
