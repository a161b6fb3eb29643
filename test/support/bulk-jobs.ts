/** Creates, runs and reads bulk jobs. */
import type { components } from '../../generated/api.ts';
import type { Context } from '../../src/context.ts';
import type { TestClient } from './client.ts';
import { runJobs } from './jobs.ts';

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

/** Fills the sandbox. Returns the completed job. */
export async function seed(
  { sandbox }: { sandbox: Context },
  client: TestClient,
  body: object = {},
): Promise<BulkJob> {
  const answer = await client.post('/sandbox/seed', body).expect(202);
  await runJobs(sandbox);
  const job = await readJob(client, answer.body.data.id);
  if (job.status !== 'completed') throw new Error(`The seed ${job.status}: ${job.failure?.message}`);
  return job;
}
