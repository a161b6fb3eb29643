import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../src/db/embedded.ts';
import { ensureDatabase, migrate } from '../src/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the server's maintenance database; each test file makes its own databases beside it. */
    serverUrl: string;
  }
}

export const TEMPLATE = 'lead_pipeline_template';

/** One PostgreSQL for the whole run, and one migrated database that the test files copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lead-pipeline-test-'));
  // As root the server runs as another user, who must be able to get in.
  await chmod(dataDir, 0o755);
  const server = await startEmbedded(dataDir);
  await ensureDatabase(server.url('postgres'), TEMPLATE);
  await migrate(server.url(TEMPLATE));
  project.provide('serverUrl', server.url('postgres'));
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
