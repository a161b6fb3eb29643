import { accessibility } from './accessibility.js';
import { authorization } from './authorization.js';
import { adaptedDocument } from './document.js';
import { environment } from './environment.js';
import { folding } from './folding.js';
import { layout } from './layout.js';
import { resolver } from './resolver.js';
import { schemas } from './schemas.js';
import { sidebar } from './sidebar.js';
import { snippets } from './snippets.js';

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
const applyColorScheme = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches);
prefersDark.addEventListener('change', applyColorScheme);
applyColorScheme();

window.ui = window.SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '/openapi.json',
  layout: 'PageLayout',
  plugins: [
    layout,
    sidebar,
    adaptedDocument,
    resolver,
    environment,
    authorization,
    schemas,
    folding,
    snippets,
    accessibility,
  ],
  onComplete: () => window.ui.layoutActions.parseDeepLinkHash(),
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  // The sidebar lists the operations. A tag draws them once it is opened.
  docExpansion: 'none',
  // Schemas are drawn with all levels open. Nothing in them needs a click.
  defaultModelExpandDepth: 9,
  defaultModelsExpandDepth: 9,
  showCommonExtensions: true,
  requestSnippetsEnabled: true,
  requestSnippets: {
    generators: {
      curl_bash: { title: 'curl', syntax: 'bash' },
      javascript: { title: 'JavaScript', syntax: 'javascript' },
      python: { title: 'Python', syntax: 'python' },
    },
    languages: ['curl_bash', 'javascript', 'python'],
  },
  // The numbers of the default theme are too dark.
  syntaxHighlight: { theme: 'tomorrow-night' },
  // The default sends the document's URL to a validator on the internet.
  validatorUrl: null,
});
