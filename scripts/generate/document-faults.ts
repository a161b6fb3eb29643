import { createConfig, lintFromString } from '@redocly/openapi-core';

/** The places where the document violates its OpenAPI version. */
export async function documentFaults(document: object): Promise<string[]> {
  const config = await createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(({ message, location: [at] }) => `${at?.pointer} ${message}`);
}
