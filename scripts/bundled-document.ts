import { fileURLToPath } from 'node:url';
import { bundle, createConfig } from '@redocly/openapi-core';
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { documentFaults } from './document-faults.ts';

/** Bundles the root and the resource files into one document, with the components sorted by name. Throws if it is not valid. */
export async function bundledDocument(): Promise<OpenAPI.Document> {
  const ref = fileURLToPath(new URL('../openapi/v1.yaml', import.meta.url));
  const { bundle: bundled, problems } = await bundle({ ref, config: await createConfig({}) });
  const [problem] = problems;
  if (problem !== undefined) throw new Error(problem.message);
  const document = bundled.parsed as OpenAPI.Document;
  const components = Object.entries(document.components ?? {}).map(([kind, named]) => [
    kind,
    Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1))),
  ]);
  const sorted = { ...document, components: Object.fromEntries(components) };
  const [fault] = documentFaults(sorted);
  if (fault !== undefined) throw new Error(`The document is not valid OpenAPI: ${fault}.`);
  return sorted;
}
