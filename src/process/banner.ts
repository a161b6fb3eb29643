import type { Service } from './service.ts';

const cli = 'npm run -s cli --';

/** Text printed at startup: addresses, where the credentials and the data are, and commands to get started. */
export function banner(
  { publicUrl, contexts, metricsUrl, credentials }: Service,
  { dataDir, showSecrets }: { dataDir: string; showSecrets: boolean },
): string {
  const lines = ['', 'Lead Pipeline API', ''];
  for (const { environment, baseUrl } of contexts) {
    lines.push(`  ${environment.padEnd(13)} ${baseUrl}`);
    const client = showSecrets ? credentials?.created[environment] : undefined;
    if (client === undefined) continue;
    lines.push(`    client_id     ${client.client_id}`, `    client_secret ${client.client_secret}`);
  }
  lines.push(`  docs          ${publicUrl}/docs`, `  dashboard     ${publicUrl}/dashboard`);
  if (metricsUrl !== undefined) lines.push(`  metrics       ${metricsUrl}`);
  if (credentials === undefined) {
    lines.push(
      '',
      `Create an API client with: ${cli} clients create --environment sandbox --name "My client"`,
    );
    return text(lines);
  }
  if (showSecrets && Object.keys(credentials.created).length > 0) {
    lines.push('', 'The secrets are shown only this once. credentials.json keeps them.', '');
  }
  lines.push(
    `  credentials   ${credentials.file}`,
    `  data          ${dataDir}`,
    '',
    'To list the leads:',
    '',
    ...listLeads(credentials.file, contexts[0]?.baseUrl ?? ''),
    '',
    'To start afresh, stop the service and delete the data folder.',
  );
  return text(lines);
}

/** One line per command: a command that a terminal or a chat wraps can't be pasted. */
function listLeads(file: string, baseUrl: string): string[] {
  const client = `const c = require(${JSON.stringify(file)}).production; c.client_id + ":" + c.client_secret`;
  return [
    `  CLIENT=$(node -p ${quote(client)})`,
    `  TOKEN=$(curl -s ${baseUrl}/auth/token -u "$CLIENT" -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `  curl -s ${baseUrl}/leads -H "Authorization: Bearer $TOKEN"`,
  ];
}

/** As one word of a shell. */
function quote(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function text(lines: string[]): string {
  return `${lines.join('\n')}\n\n`;
}
