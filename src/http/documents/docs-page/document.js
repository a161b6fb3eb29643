/**
 * The document has the public URL, but the page calls the host it was opened on, so that it works under another host name
 * and never calls another deployment. Swagger UI resolves a relative tokenUrl against the selected server, so Authorize
 * requests the token from that environment.
 */
export function callThisHost({ servers, components }) {
  for (const server of servers) server.url = window.location.origin + new URL(server.url).pathname;
  const { oauth2 } = components.securitySchemes;
  oauth2.flows.clientCredentials.tokenUrl = 'v1/auth/token';
  oauth2.description += ' The token comes from the server that is selected, so select it first.';
}

/** Moves examples into descriptions: "Try it out" would fill in every filter and condition, and so find nothing. */
export function leaveOptionalsEmpty({ paths, components }) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const parameters = operations.flatMap((operation) => operation.parameters ?? []);
  for (const parameter of [...parameters, ...Object.values(components.parameters)]) {
    if (parameter.required || parameter.example === undefined) continue;
    parameter.description += `\n\nExample: \`${parameter.example}\``;
    delete parameter.example;
  }
}
