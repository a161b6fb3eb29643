import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Router } from 'express';
import { sendText } from './send-text.ts';
import { type Folder, staticFiles } from './static-files.ts';

/**
 * Serves a folder's index.html at `path/`, and its other files, also those in subfolders, beside those of libraries. In the
 * page, the URLs of all these files begin with `./`.
 */
export async function staticPage(path: string, root: string, ...libraries: Folder[]): Promise<Router> {
  const router = Router({ caseSensitive: true, strict: true });
  const html = await readFile(join(root, 'index.html'), 'utf8');
  const files = await staticFiles(path, [{ root, files: await listFiles(root) }, ...libraries]);

  // The files have relative URLs, so the page's own URL must end in a slash.
  router.get([path, `${path}/index.html`], (_req, res) => res.redirect(`${path}/`));
  router.get(
    `${path}/`,
    sendText('text/html', () => html.replaceAll('"./', `"./${files.version}/`)),
  );
  router.use(files.router);
  return router;
}

/** All files but the page itself, also those in subfolders, as relative paths. */
async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/'))
    .filter((name) => name !== 'index.html')
    .sort();
}
