/**
 * Remembers the selected server, and the credentials for each server. sessionStorage is safe enough for them: only scripts
 * of this origin can read it, the Content-Security-Policy lets no script run but this page's files and no request leave
 * for elsewhere, other tabs can't see it, and it is gone when the tab closes. The client secret is never stored.
 */
export const environment = () => ({
  afterLoad({ oas3Actions }) {
    // What this tab has selected counts more than what another tab has.
    const remembered = sessionStorage.getItem(SERVER) ?? localStorage.getItem(SERVER);
    if (remembered) oas3Actions.setSelectedServer(remembered);
  },
  statePlugins: {
    oas3: {
      wrapActions: {
        setSelectedServer: (select, system) => (url, namespace) => {
          const previous = system.oas3Selectors.selectedServer();
          select(url, namespace);
          if (namespace || url === previous) return;
          for (const storage of [sessionStorage, localStorage]) storage.setItem(SERVER, url);
          system.authActions.restoreAuthorization({ authorized: storedFor(url) });
        },
      },
    },
    auth: {
      wrapActions: {
        // Swagger UI itself would keep them, secret included, in localStorage.
        persistAuthorizationIfNeeded: (_persist, system) => () => {
          const { oauth2, ...others } = system.authSelectors.authorized().toJS();
          const kept = oauth2 ? { ...others, oauth2: withoutSecret(oauth2) } : others;
          sessionStorage.setItem(keyOf(system.oas3Selectors.selectedServer()), JSON.stringify(kept));
        },
      },
    },
  },
  wrapComponents: { Servers: withHint },
});

const SERVER = 'docs server';

function keyOf(url) {
  return `docs credentials ${url}`;
}

function storedFor(url) {
  const { oauth2, ...others } = JSON.parse(sessionStorage.getItem(keyOf(url)) ?? '{}');
  return oauth2?.token.expires_at > Date.now() ? { ...others, oauth2 } : others;
}

function withoutSecret({ name, schema, clientId, scopes, token }) {
  return { name, schema, clientId, scopes, token };
}

/** Says so if there are credentials, but for another server than the selected one. */
function withHint(Servers, { React: { createElement, Fragment }, authSelectors }) {
  return (props) => {
    const { currentServer, servers } = props;
    const other = servers.find((server) => Object.keys(storedFor(server.get('url'))).length > 0);
    const nameOf = (server) => server?.get('description').toLowerCase();
    const selected = servers.find((server) => server.get('url') === currentServer);
    const isMissing = authSelectors.authorized().isEmpty() && other !== undefined && other !== selected;
    return createElement(
      Fragment,
      null,
      createElement(Servers, props),
      createElement(
        'p',
        { className: 'hint', role: 'status' },
        isMissing &&
          `You have credentials for ${nameOf(other)}. They don't work in ${nameOf(selected)}, which has its own: authorize again.`,
      ),
    );
  };
}
