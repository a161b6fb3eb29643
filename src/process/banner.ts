import { relative } from 'node:path';
import type { Config } from '../config.ts';
import { basePaths, type Environment } from '../environment.ts';
import { shellWord } from '../values/shell-word.ts';
import type { Service } from './service.ts';

const cli = 'npx lead-pipeline';

/** Text printed at startup: addresses, where the credentials and the data are, and commands to get started. */
export function banner(
  { publicUrl, metricsUrl, credentialsFile, created }: Service,
  { environments, dataDir }: Pick<Config, 'environments' | 'dataDir'>,
  { showSecrets }: { showSecrets: boolean },
): string {
  const lines = ['', 'Lead Pipeline API', ''];
  for (const environment of environments) {
    lines.push(`  ${environment.padEnd(13)} ${publicUrl}${basePaths[environment]}`);
    const client = showSecrets ? created[environment] : undefined;
    if (client === undefined) continue;
    lines.push(`    client_id     ${client.client_id}`, `    client_secret ${client.client_secret}`);
  }
  for (const page of ['docs', 'guides', 'dashboard']) lines.push(`  ${page.padEnd(13)} ${publicUrl}/${page}`);
  if (metricsUrl !== undefined) lines.push(`  metrics       ${metricsUrl}`);
  if (credentialsFile === undefined) {
    lines.push(
      '',
      `Create an API client with: ${cli} clients create --environment ${environments.at(-1)} --name "My client"`,
    );
    return text(lines);
  }
  lines.push(
    `  credentials   ${shellWord(credentialsFile)}`,
    `  data          ${shellWord(dataDir)}`,
    '',
    'To show the credentials:',
    '',
    `  ${commandIn(dataDir)} credentials`,
    '',
    'To list the leads:',
    '',
    ...listLeads(credentialsFile, environments[0] ?? 'production', publicUrl),
    '',
    `To start afresh, stop the service, and run: ${commandIn(dataDir)} data remove`,
  );
  return text(lines);
}

/** How another terminal in this folder calls the command. */
function commandIn(dataDir: string): string {
  const isDefault = relative('', dataDir) === '.data';
  return isDefault ? cli : `DATA_DIR=${shellWord(dataDir)} ${cli}`;
}

/** Keeps each command on one line, because a wrapped command can't be pasted. */
function listLeads(file: string, environment: Environment, publicUrl: string): string[] {
  const baseUrl = publicUrl + basePaths[environment];
  const client = `const c = require(${JSON.stringify(file)}).${environment}; c.client_id + ":" + c.client_secret`;
  return [
    `  CLIENT=$(node -p ${shellWord(client)})`,
    `  TOKEN=$(curl -s ${baseUrl}/auth/token -u "$CLIENT" -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `  curl -s ${baseUrl}/leads -H "Authorization: Bearer $TOKEN"`,
  ];
}

function text(lines: string[]): string {
  return `${lines.join('\n')}\n\n`;
}
