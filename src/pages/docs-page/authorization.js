/** Authorize gets a token from the selected server. Selecting another server forgets it: no credential works in both. */
export const authorization = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorizeApplication: (_original, system) => (auth) => requestToken(auth, system),
        showDefinitions: moveFocus(),
      },
    },
  },
  wrapComponents: { Servers: forgetfulServers, authError: showAsAlert },
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
async function requestToken(auth, { authActions, errActions, oas3Selectors }) {
  const { name, scopes, clientId, clientSecret } = auth;
  const fail = (message) =>
    errActions.newAuthErr({ authId: name, source: 'auth', level: 'warning', message });
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  if (scopes.length > 0) body.set('scope', scopes.join(' '));
  const url = `${oas3Selectors.selectedServer()}/auth/token`;
  const answer = await fetch(url, { method: 'POST', body, credentials: 'omit' })
    .then((response) => response.json())
    .catch(() => ({ message: `${url} gives no answer. Check your connection and try again.` }));
  if (answer.access_token) authActions.authorizeOauth2WithPersistOption({ auth, token: answer });
  else fail(answer.message);
}

function showAsAlert(_original, { React: { createElement } }) {
  return ({ error }) => createElement('p', { className: 'errors', role: 'alert' }, error.get('message'));
}

function forgetfulServers(
  Servers,
  { React: { createElement, Fragment, useState }, authActions, authSelectors },
) {
  return function ForgetfulServers(props) {
    const [hasForgotten, setHasForgotten] = useState(false);
    const setSelectedServer = (url) => {
      const schemes = authSelectors.authorized().keySeq().toArray();
      if (schemes.length > 0) authActions.logout(schemes);
      setHasForgotten(schemes.length > 0);
      props.setSelectedServer(url);
    };
    const needsCredentials = hasForgotten && authSelectors.authorized().isEmpty();
    return createElement(
      Fragment,
      null,
      createElement(Servers, { ...props, setSelectedServer }),
      createElement('p', { className: 'forgotten', role: 'status' }, needsCredentials && FORGOTTEN),
    );
  };
}

const FORGOTTEN =
  'You selected another server. Its credentials are its own, so this page forgot yours. Authorize again.';
