/**
 * `npm run build`: the guides and the pipeline page as files, each with its compressed copies beside it. Nothing of it is
 * committed.
 */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { buildGuides } from './guides/build.ts';

const pipeline = join(import.meta.dirname, 'pipeline');

await build({
  root: pipeline,
  base: './',
  configFile: false,
  logLevel: 'warn',
  // The policy of the page allows no data: URLs.
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0 },
});
await compress(join(pipeline, 'dist'));
await compress(await copySwaggerUi());
await compress(await buildGuides());

/** Swagger UI's files, and what the docs page adds to them. */
async function copySwaggerUi(): Promise<string> {
  const library = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const own = join(import.meta.dirname, 'docs');
  const dist = join(own, 'dist');
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist);
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js'])
    await copyFile(join(library, name), join(dist, name));
  const files = (await readdir(own)).filter((name) => /\.(?:js|css)$/.test(name));
  for (const name of files) await copyFile(join(own, name), join(dist, name));
  return dist;
}

/** Adds what a browser gets instead if it accepts Brotli or gzip. */
async function compress(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && /^\.(?:html|js|css|svg|json)$/.test(extname(entry.name)),
  );
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      const body = await readFile(file);
      // 11, the default, takes over ten times as long to save another 10 %.
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
      await writeFile(`${file}.br`, await promisify(brotliCompress)(body, { params }));
      await writeFile(`${file}.gz`, await promisify(gzip)(body));
    }),
  );
}
