/*
 * Starts Swagger UI. It runs in the browser, in place of the script that swagger-ui-express makes from a template.
 */

/**
 * The document names the public address; this page calls wherever it was opened, so that it also works under another
 * name of the host and never calls another deployment. Swagger UI resolves a relative tokenUrl against the server that
 * is selected, so Authorize asks that environment for the token.
 */
function callThisHost({ servers, components }) {
  for (const server of servers) server.url = window.location.origin + new URL(server.url).pathname;
  const { oauth2 } = components.securitySchemes;
  oauth2.flows.clientCredentials.tokenUrl = 'v1/auth/token';
  oauth2.description += ' The token comes from the server that is selected, so select it first.';
}

/** "Try it out" would fill every filter and condition with its example and so find nothing: examples become text. */
function leaveOptionalsEmpty({ paths, components }) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const parameters = operations.flatMap((operation) => operation.parameters ?? []);
  for (const parameter of [...parameters, ...Object.values(components.parameters)]) {
    if (parameter.required || parameter.example === undefined) continue;
    parameter.description += `\n\nExample: \`${parameter.example}\``;
    delete parameter.example;
  }
}

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
        // Swagger UI focuses the last field, the API key, and so scrolls the client's credentials out of sight.
        showDefinitions: (show) => (definitions) => {
          setTimeout(() => document.getElementById('client_id_clientCredentials')?.focus());
          return show(definitions);
        },
      },
    },
  },
});

window.onload = () => {
  window.ui = window.SwaggerUIBundle({
    dom_id: '#swagger-ui',
    url: '/openapi.json',
    plugins: [changesOnLoad],
    deepLinking: true,
    displayOperationId: true,
    displayRequestDuration: true,
    filter: true,
    // The default would send the document's address to a validator on the internet.
    validatorUrl: null,
  });
};
