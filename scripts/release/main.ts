/**
 * Stores the contract as released in openapi/released/. `npm test` compares later ones with it. --replace overwrites a version
 * that nobody has yet.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { release } from './release.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFile(new URL(file, root), 'utf8');

try {
  const file = await release({
    folder: fileURLToPath(new URL('openapi/released/', root)),
    document: JSON.parse(await read('generated/openapi.json')),
    changelog: await read('CHANGELOG.md'),
    packageVersion: JSON.parse(await read('package.json')).version,
    replace: process.argv.includes('--replace'),
    now: new Date(),
  });
  console.log(`The released contract is ${file}.`);
} catch (error) {
  console.error(`npm run release: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
