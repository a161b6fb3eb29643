/** @import { Api, CurrentClient, User } from './api.js' */

/** @typedef {Pick<User, 'id' | 'name'>} ActingUser */

/** @type {CurrentClient | undefined} */
let client;
/** @type {ActingUser | undefined} */
let user;
/** @type {(() => unknown)[]} */
const listeners = [];

/** Reads who has signed in. This stays in memory, like the credentials. @param {Api} api */
export async function readSession(api) {
  client = (await api.get('/auth/me')).data;
}

/** The user for whom the client acts, unless a request names another one. */
export const ownUserId = () => client?.user_id ?? undefined;

/** Whether the client has the scope, such as `leads:write`. @param {string} scope */
export function may(scope) {
  const scopes = client?.scopes ?? [];
  return scopes.includes(scope) || scopes.includes(scope.slice(scope.indexOf(':') + 1));
}

export const isSandbox = () => client?.environment === 'sandbox';

/** The user for whom the page writes. Undefined for nobody. */
export const actingUser = () => user;

/** @param {ActingUser | undefined} chosen */
export function setActingUser(chosen) {
  user = chosen;
  for (const listener of listeners) listener();
}

/** @param {() => unknown} listener */
export function onActingUser(listener) {
  listeners.push(listener);
}
