import { join } from 'node:path';
import type { Service } from './service.ts';

/** What a newcomer needs first, to be read in a terminal. */
export function banner({ publicUrl, contexts, credentials }: Service, dataDir: string): string {
  const lines = ['', `Lead Pipeline API`, ''];
  for (const { environment, baseUrl } of contexts) {
    lines.push(`  ${environment.padEnd(13)} ${baseUrl}`);
    if (credentials !== undefined) {
      lines.push(`    client_id     ${credentials[environment].client_id}`);
      lines.push(`    client_secret ${credentials[environment].client_secret}`);
    }
  }
  lines.push(`  docs          ${publicUrl}/docs`, '');
  if (credentials === undefined) {
    lines.push(
      'Make an API client with: npm run cli -- clients create --environment sandbox --name "My client"',
      '',
    );
    return lines.join('\n');
  }
  const { client_id, client_secret } = credentials.production;
  lines.push(
    `The credentials are kept in ${join(dataDir, 'credentials.json')}. Try them:`,
    '',
    `  curl -s ${credentials.production.base_url}/auth/token -H 'Content-Type: application/json' \\`,
    `    -d '{"grant_type":"client_credentials","client_id":"${client_id}","client_secret":"${client_secret}"}'`,
    '',
    '',
  );
  return lines.join('\n');
}
