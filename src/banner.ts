import { join } from 'node:path';
import type { Service } from './service.ts';

/** Text printed at startup: base URLs, first credentials, and commands to get started. */
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
      'Create an API client with: npm run cli -- clients create --environment sandbox --name "My client"',
      '',
    );
    return lines.join('\n');
  }
  const { base_url, client_id, client_secret } = credentials.production;
  const token = `${base_url}/auth/token`;
  // One line per command: a command that a terminal or a chat wraps can't be pasted.
  lines.push(
    `The credentials are stored in ${join(dataDir, 'credentials.json')}. To get a token:`,
    '',
    `  curl -s ${token} -H 'Content-Type: application/json' -d '{"grant_type":"client_credentials","client_id":"${client_id}","client_secret":"${client_secret}"}'`,
    '',
    'To list the leads with it:',
    '',
    `  TOKEN=$(curl -s ${token} -u ${client_id}:${client_secret} -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `  curl -s ${base_url}/leads -H "Authorization: Bearer $TOKEN"`,
    '',
    '',
  );
  return lines.join('\n');
}
