import { callThisHost, leaveOptionalsEmpty } from './document.js';

const changesOnLoad = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (document) => {
          callThisHost(document);
          leaveOptionalsEmpty(document);
          return update(document);
        },
      },
    },
    auth: {
      wrapActions: {
        // Swagger UI focuses the last field, the API key, which scrolls the client credentials out of view.
        showDefinitions: (show) => (definitions) => {
          setTimeout(() => document.getElementById('client_id_clientCredentials')?.focus());
          return show(definitions);
        },
      },
    },
  },
});

window.ui = window.SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '/openapi.json',
  plugins: [changesOnLoad],
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  filter: true,
  // The default sends the document's URL to a validator on the internet.
  validatorUrl: null,
});
