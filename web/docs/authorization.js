/** Authorize gets a token from the selected server, and rejects credentials for another one. */
const authorization = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorizeApplication: (_original, system) => (auth) => requestToken(auth, system),
        authorizeWithPersistOption: (authorize, system) => (payload) => {
          const [{ name, value }] = Object.values(payload);
          if (isAccepted(name, value, system)) authorize(payload);
        },
        showDefinitions: moveFocus(),
      },
    },
  },
  wrapComponents: { authError: showAsAlert },
});

/** Moves the focus into the dialog and back. Swagger UI focuses the last field, which scrolls the first ones out of view. */
function moveFocus() {
  let opener;
  return (show) => (definitions) => {
    if (definitions) opener = document.activeElement;
    const target = () => (definitions ? document.getElementById('client_id_clientCredentials') : opener);
    setTimeout(() => target()?.focus());
    return show(definitions);
  };
}

/**
 * Swagger UI sends the credentials as HTTP Basic, and shows the status of an error. The browser would answer a 401 with its
 * own sign-in dialog, unless the request omits credentials.
 */
async function requestToken(auth, system) {
  const { name, scopes, clientId, clientSecret } = auth;
  if (!isAccepted(name, clientSecret, system)) return;
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  if (scopes.length > 0) body.set('scope', scopes.join(' '));
  const url = `${system.oas3Selectors.selectedServer()}/auth/token`;
  const answer = await fetch(url, { method: 'POST', body, credentials: 'omit' })
    .then((response) => response.json())
    .catch(() => ({ message: `${url} gives no answer. Check your connection and try again.` }));
  if (!answer.access_token) return fail(system, name, { message: answer.message });
  const token = { ...answer, expires_at: Date.now() + answer.expires_in * 1000 };
  system.authActions.authorizeOauth2WithPersistOption({ auth, token });
}

/** A secret or key says in its prefix where it is valid. Sending it elsewhere only gives a 401, which doesn't say why. */
function isAccepted(authId, secret, system) {
  const { errActions, oas3Selectors, specSelectors } = system;
  errActions.clear({ authId, source: 'auth' });
  const [, kind] = /^lp\w_(live|test)_/.exec(secret?.trim()) ?? [];
  const servers = specSelectors.servers().toJS();
  const selected = servers.find(({ url }) => url === oas3Selectors.selectedServer());
  const right = servers.find(({ description }) => description === ENVIRONMENTS[kind]) ?? selected;
  if (right === selected) return true;
  const message = `These are credentials for ${nameOf(right)}, but ${nameOf(selected)} is selected.`;
  fail(system, authId, { message, server: right.url, remedy: `Select ${nameOf(right)}` });
  return false;
}

const ENVIRONMENTS = { live: 'Production', test: 'Sandbox' };

function nameOf({ description }) {
  return `the ${description.toLowerCase()} server`;
}

function fail({ errActions }, authId, error) {
  errActions.newAuthErr({ authId, source: 'auth', level: 'warning', ...error });
}

function showAsAlert(_original, { React: { createElement }, errActions, oas3Actions }) {
  return ({ error }) => {
    const { authId, message, remedy, server } = error.toObject();
    const select = () => {
      oas3Actions.setSelectedServer(server);
      errActions.clear({ authId, source: 'auth' });
    };
    return createElement(
      'p',
      { className: 'error', role: 'alert' },
      message,
      remedy && createElement('button', { type: 'button', onClick: select }, remedy),
    );
  };
}

docsPlugins.push(authorization);
