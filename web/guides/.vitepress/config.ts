import { defineConfig } from 'vitepress';
import { anchorOf, linkPages } from '../markdown.ts';
import { operationLinks } from '../operation-links.ts';
import { readDocument, readPages } from '../pages.ts';
import { describedOperations } from '../reference/operations.ts';

const document = await readDocument();
const groups = await readPages(document);
const pages = groups.flatMap((group) => group.pages);
const reference = groups.filter(({ name }) => name === 'Reference');
const guides = groups.filter(({ name }) => name !== 'Reference');

/** The heading of an operation, and its first line. */
const OPERATION = /^## (.*) \{(#\w+)\}\n\n`([A-Z]+ [^`]+)` · `(\w+)`/gm;

const sidebarOf = (those: typeof groups) =>
  those.map(({ name, pages }) => ({
    text: name,
    items: pages.map((page) => ({ text: page.title, link: `/${page.name}` })),
  }));

export default defineConfig({
  title: 'Lead Pipeline API',
  description: 'How to use and run the Lead Pipeline API.',
  base: '/guides/',
  srcDir: './pages',
  outDir: './dist',
  cacheDir: './.vitepress/cache',
  cleanUrls: true,
  metaChunk: true,
  // The policy of the pages allows no style that a script adds.
  appearance: { disableTransition: false },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/guides/icon.svg' }]],
  vite: { build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4_000 } },
  markdown: {
    // HTML in Markdown is text, so a page has no markup but what Markdown stands for.
    html: false,
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config: (markdown) =>
      linkPages(markdown, {
        pages: new Map(
          pages.map(({ path, name, title }) => [name === 'tour' ? `${path}#${anchorOf(title)}` : path, name]),
        ),
        sources: new Map(pages.map(({ path, name }) => [name, path])),
        operationOf: operationLinks(describedOperations(document)),
      }),
  },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Guides', link: '/', activeMatch: '^/(?!reference|changelog)' },
      { text: 'Reference', link: '/reference/leads', activeMatch: '^/reference/' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: {
      '/reference/': sidebarOf(reference),
      '/': sidebarOf(guides),
    },
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        // Operations are found by their id and request, as if these were in the heading.
        _render: (source, env, markdown) =>
          markdown.render(source.replaceAll(OPERATION, '## $1 $4 $3 {$2}\n\n'), env),
        miniSearch: { searchOptions: { boost: { title: 6, titles: 2, text: 1 }, fuzzy: 0.1, prefix: true } },
      },
    },
  },
});
