/**
 * Remembers the selected server, and the credentials for each server. sessionStorage is safe enough for them: only scripts
 * of this origin can read it, the Content-Security-Policy lets no script run but this page's files and no request leave
 * for elsewhere, other tabs can't see it, and it is gone when the tab closes. The client secret is never stored.
 */
const environment = () => ({
  afterLoad({ oas3Actions }) {
    const remembered = rememberedServer();
    if (remembered) oas3Actions.setSelectedServer(remembered);
  },
  statePlugins: {
    spec: {
      wrapActions: {
        // A newcomer begins in the sandbox, if the service has one.
        updateJsonSpec:
          (update, { oas3Actions }) =>
          (document) => {
            const updated = update(document);
            const sandbox = document.servers.find(({ description }) => description === 'Sandbox');
            if (sandbox && !rememberedServer()) oas3Actions.setSelectedServer(sandbox.url);
            return updated;
          },
      },
    },
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
          const withoutSecret = (key, value) => (key === 'clientSecret' ? undefined : value);
          const kept = JSON.stringify(system.authSelectors.authorized(), withoutSecret);
          sessionStorage.setItem(keyOf(system.oas3Selectors.selectedServer()), kept);
        },
      },
    },
  },
  wrapComponents: { Servers: withHint },
});

const SERVER = 'docs server';

/** What this tab has selected counts more than what another tab has. */
function rememberedServer() {
  return sessionStorage.getItem(SERVER) ?? localStorage.getItem(SERVER);
}

function keyOf(url) {
  return `docs credentials ${url}`;
}

function storedFor(url) {
  const { oauth2, ...others } = JSON.parse(sessionStorage.getItem(keyOf(url)) ?? '{}');
  return oauth2?.token.expires_at > Date.now() ? { ...others, oauth2 } : others;
}

/** Says so if there are credentials, but for another server than the selected one. */
function withHint(Servers, { React: { createElement, Fragment }, authSelectors }) {
  return (props) => {
    const other = props.servers.find((server) => Object.keys(storedFor(server.get('url'))).length > 0);
    const hint =
      other &&
      authSelectors.authorized().isEmpty() &&
      `You have credentials for ${other.get('description').toLowerCase()}. They don't work here: authorize again.`;
    return createElement(
      Fragment,
      null,
      createElement(Servers, props),
      createElement('p', { className: 'error', role: 'status' }, hint),
    );
  };
}

docsPlugins.push(environment);
