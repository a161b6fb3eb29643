/** `#/Leads/createLead` is an operation, `#/Leads` its tag, `#/schemas/Lead` a schema. */
export function addressOf(...names) {
  return `#/${names.map(encodeURIComponent).join('/')}`;
}

export function namesIn(address) {
  return address.slice('#/'.length).split('/').map(decodeURIComponent);
}

/** The current address. Swagger UI adds to the history when an operation is opened, and then draws the page again. */
export function useAddress({ useSyncExternalStore }) {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener('hashchange', changed);
      return () => window.removeEventListener('hashchange', changed);
    },
    () => window.location.hash,
  );
}
