/** Declares keys of metadata, as an administrator does. */
import type { components } from '../../generated/api.ts';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { runJobs } from './jobs.ts';
import type { TestResource } from './resources.ts';

type MetadataField = components['schemas']['MetadataField'];

export const metadataFields: TestResource<MetadataField> = {
  path: '/metadata-fields',
  table: 'metadata_fields',
  prefix: 'field',
  nameField: 'name',
  required: ['resource', 'key', 'type'],
  isSearched: false,
  input: (key = `key-${Math.random().toString(36).slice(2)}`) => ({ resource: 'leads', key, type: 'number' }),
};

/** Declares a key, and converts the stored values. */
export async function declare(
  { production }: Pick<TestApp, 'production'>,
  client: TestClient,
  field: object,
): Promise<MetadataField> {
  const { body } = await client.post('/metadata-fields', { resource: 'leads', ...field }).expect(201);
  await runJobs(production);
  const { data } = (await client.get(`/metadata-fields/${body.data.id}`).expect(200)).body;
  return data;
}
