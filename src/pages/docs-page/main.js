import { accessibility } from './accessibility.js';
import { authorization } from './authorization.js';
import { changesOfDocument } from './document.js';
import { drawing } from './drawing.js';
import { filter } from './filter.js';
import { folding } from './folding.js';
import { operations } from './operations.js';
import { resolver } from './resolver.js';
import { snippets } from './snippets.js';
import { typeNames } from './type-names.js';

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
const applyColorScheme = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches);
prefersDark.addEventListener('change', applyColorScheme);
applyColorScheme();

window.ui = window.SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '/openapi.json',
  plugins: [
    drawing,
    operations,
    changesOfDocument,
    resolver,
    authorization,
    filter,
    folding,
    snippets,
    typeNames,
    accessibility,
  ],
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  filter: true,
  requestSnippetsEnabled: true,
  // The numbers of the default theme are too dark.
  syntaxHighlight: { theme: 'tomorrow-night' },
  // The default sends the document's URL to a validator on the internet.
  validatorUrl: null,
});
