import { existsSync, readdirSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { RequestHandler } from 'express';
import { Problem } from '../problem.ts';
import { DAY, SECOND } from '../values/time.ts';

export const WEB = join(import.meta.dirname, '../../web');

const extensions = { br: '.br', gzip: '.gz' } as const;
const encodings = ['br', 'gzip'] as const;

/**
 * Serves the files of a folder, with the compressed copies that stand beside them: `webhooks` is `webhooks.html`. The names
 * of those in `assets` change with their content, so browsers may keep them.
 */
export function builtFiles(root: string): RequestHandler {
  const files = new Map(filesIn(root).map((name) => [name, tagOf(join(root, name))]));
  return (req, res, next) => {
    const name = nameOf(req.path);
    if (!['GET', 'HEAD'].includes(req.method) || !files.has(name)) return next();
    const maxAge = `public, max-age=${(365 * DAY) / SECOND}, immutable`;
    res.set('Cache-Control', name.startsWith('assets/') ? maxAge : 'no-cache').type(extname(name));
    res.vary('Accept-Encoding');
    const encoding = encodings.find(
      (each) => files.has(name + extensions[each]) && req.acceptsEncodings(each),
    );
    if (encoding !== undefined) res.set('Content-Encoding', encoding);
    const copy = encoding === undefined ? name : name + extensions[encoding];
    res.set('ETag', files.get(copy));
    res.sendFile(copy, { root, cacheControl: false, dotfiles: 'allow' }, (error) => {
      // The browser has gone, or an upgrade has replaced the files.
      if (!error || res.headersSent) return;
      for (const header of ['Content-Encoding', 'Content-Type', 'ETag']) res.removeHeader(header);
      next();
    });
  };
}

/** Throws 404. A clone in which nobody has built the pages still has the API. */
export function refuseUnbuilt(): never {
  throw new Problem(
    'not_found',
    'The pages are not built here. Run npm run build, and start the service again.',
  );
}

export function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll(sep, '/'));
}

/** Each compressed copy is a separate representation, with a tag that differs (RFC 9110, 8.8.3.3). */
function tagOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`;
}

function nameOf(path: string): string {
  const name = path.slice(1);
  if (name === '') return 'index.html';
  return extname(name) === '' ? `${name}.html` : name;
}
