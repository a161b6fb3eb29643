import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import swaggerUi from 'swagger-ui-express';
import { builtFiles, WEB } from './built-files.ts';
import { pagePolicy } from './policy.ts';

const BUILT = join(WEB, 'docs/dist');
const scripts = ['start', 'document', 'environment', 'authorization', 'search', 'accessibility'];

const options: swaggerUi.SwaggerUiOptions = {
  swaggerUrl: '/openapi.json',
  customSiteTitle: 'Lead Pipeline API',
  customfavIcon: '../guides/icon.svg',
  customCssUrl: './docs.css',
  customJs: scripts.map((name) => `./${name}.js`),
  swaggerOptions: {
    layout: 'BaseLayout',
    // The browser runs this function. The page's own files have filled the list by then.
    plugins: [() => Reflect.get(globalThis, 'docsPlugins')],
    filter: true,
    docExpansion: 'list',
    displayOperationId: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: -1,
    defaultModelExpandDepth: 3,
    showCommonExtensions: true,
    // The numbers of the default theme are too dark.
    syntaxHighlight: { theme: 'tomorrow-night' },
    // The default sends the document's URL to a validator on the internet.
    validatorUrl: null,
  },
};

/** Swagger UI as its library serves it, with plugins of our own. */
export function docsPage(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const html = swaggerUi.generateHTML(undefined, options);
  router.get(['/docs', '/docs/index.html'], (_req, res) => res.redirect('/docs/'));
  // The library would answer these by itself, as text or with a redirect.
  router.use('/docs', (req, _res, next) => {
    const isOfLibrary = /^\/(?:[\w-]+\.\w+)?$/.test(req.path) && req.path !== '/package.json';
    next(isOfLibrary ? undefined : 'router');
  });
  router.use(
    '/docs',
    policyFor(html),
    // The build copies those of the library, too, and compresses them.
    builtFiles(existsSync(BUILT) ? BUILT : join(WEB, 'docs')),
    ...swaggerUi.serve,
  );
  router.get('/docs/', swaggerUi.setup(undefined, options));
  return router;
}

/** The library's page has two inline styles. */
function policyFor(html: string) {
  const styles = [...html.matchAll(/<style>([^<]*)<\/style>/g)];
  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return pagePolicy({
    styleSrcElem: ["'self'", ...styles.map(([, style = '']) => hashOf(style))],
    styleSrcAttr: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'], // Swagger UI's stylesheet has its arrows inline.
  });
}
