/** Creates, runs and reads bulk jobs. */
import type { components } from '../../generated/api.ts';
import { runJob } from '../../src/bulk-jobs/run/run-job.ts';
import type { Context } from '../../src/context.ts';
import type { TestClient } from './client.ts';

export type BulkJob = components['schemas']['BulkJob'];

/** Creates a valid job. */
export async function createJob(client: TestClient, body: object): Promise<BulkJob> {
  const answer = await client.post('/bulk-jobs').send(body).expect(202);
  return answer.body.data;
}

export async function readJob(client: TestClient, id: string): Promise<BulkJob> {
  const { body } = await client.get(`/bulk-jobs/${id}`).expect(200);
  return body.data;
}

/** Runs all queued jobs, as the worker does. */
export async function runJobs(context: Pick<Context, 'db' | 'logger'>): Promise<void> {
  while ((await runJob(context)) !== undefined);
}

/** Creates a job and runs it to its end. */
export async function doJob(
  { production }: { production: Context },
  client: TestClient,
  body: object,
): Promise<BulkJob> {
  const { id } = await createJob(client, body);
  await runJobs(production);
  return readJob(client, id);
}
