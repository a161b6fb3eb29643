import { createConfig, lintFromString } from '@redocly/openapi-core';

/** Where the document is not valid OpenAPI of its version. */
export async function documentFaults(document: object): Promise<string[]> {
  const config = await createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(({ message, location: [at] }) => `${at?.pointer} ${message}`);
}
