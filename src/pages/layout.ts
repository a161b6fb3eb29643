import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import { escapeHtml } from '../values/escape-html.ts';
import { DAY, SECOND } from '../values/time.ts';
import { sharedFiles } from './site-files.ts';
import { type Folder, staticFiles } from './static-files.ts';

const names = [
  ...['theme.css', 'site.css', 'icon.svg', 'search.css', 'search.js', 'home.css', 'home.js'],
  ...['guides.css', 'article.css', 'guide.css', 'guide.js'],
];

const FAVICON = join(import.meta.dirname, 'site/favicon.ico');

/** Loaded by search.js. */
const minisearch: Folder = {
  root: dirname(dirname(fileURLToPath(import.meta.resolve('minisearch')))),
  files: ['es/index.js'],
};

/** Below the origin; `name` is the one that visitors see. */
const places = [
  { name: 'Docs', url: 'docs' },
  { name: 'Guides', url: 'guides/' },
  { name: 'Pipeline', url: 'dashboard/' },
  { name: 'Changelog', url: 'changelog' },
] as const;

interface Page {
  title: string;
  description: string;
  /** The way from the page to the service's origin, such as `./` or `../`. */
  root: string;
  /** The link at the top that stands for this page. */
  place?: (typeof places)[number]['name'];
  /** Stylesheets and modules beside those of all pages. */
  files?: readonly string[];
  /** HTML of the page below its bar. */
  body: string;
}

export type Layout = (page: Page) => string;

/** The files of the pages that aren't applications, and a function that makes such a page. */
export async function createLayout(siteTitle: string) {
  const files = await staticFiles('/assets', [sharedFiles(...names), minisearch]);
  const layout: Layout = ({ title, description, root, place, files: own = [], body }) => {
    const asset = (name: string) => `${root}assets/${files.version}/${name}`;
    const load = (name: string) =>
      name.endsWith('.css')
        ? `<link rel="stylesheet" href="${asset(name)}">`
        : `<script type="module" src="${asset(name)}"></script>`;
    const link = ({ name, url }: (typeof places)[number]) =>
      `<a href="${root}${url}"${name === place ? ' aria-current="page"' : ''}>${name}</a>`;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title === siteTitle ? title : `${title} · ${siteTitle}`)}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" type="image/svg+xml" href="${asset('icon.svg')}">
${['theme.css', 'site.css', 'search.css', 'search.js', ...own].map(load).join('\n')}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="${root}"><img src="${asset('icon.svg')}" alt="" width="20" height="20">${escapeHtml(siteTitle)}</a>
<search id="search" data-root="${root}" hidden>
<label class="unseen" for="query">Search guides and operations</label>
<input id="query" type="search" placeholder="Search guides and operations" autocomplete="off" autocapitalize="none" spellcheck="false" enterkeyhint="go" aria-keyshortcuts="/">
<div class="panel" hidden><p role="status"></p><ol></ol></div>
</search>
<nav aria-label="Service">${places.map(link).join('')}</nav>
</header>
${body}
</body>
</html>
`;
  };
  const router = Router({ caseSensitive: true, strict: true });
  // For documents that can't name an icon, such as JSON.
  const favicon = await readFile(FAVICON);
  router.get('/favicon.ico', (_req, res) =>
    res
      .type('ico')
      .set('Cache-Control', `public, max-age=${DAY / SECOND}`)
      .send(favicon),
  );
  router.use(files.router);
  return { layout, router };
}
