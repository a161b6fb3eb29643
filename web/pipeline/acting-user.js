/** @import { Api } from './api.js' */
import { find, isolate } from './dom.js';
import { actingUser, may, ownUserId, setActingUser } from './session.js';
import { createUserPicker } from './user-picker.js';

const dialog = find('#who', HTMLDialogElement);
const button = find('#acting-user', HTMLButtonElement);

/**
 * Returns a function that asks who is at the page, or undefined if there is nobody to choose: no active user, or a client that
 * may not read users. A client with a user of its own acts for that user unless another one is chosen.
 * @param {Api} api
 */
export async function prepareActingUser(api) {
  if (!may('users:read')) return undefined;
  const own = ownUserId();
  const [user, { data }] = await Promise.all([
    own === undefined ? undefined : api.get(`/users/${own}`).then(({ data }) => data),
    api.get('/users?active=true&per_page=1'),
  ]);
  if (data.length === 0) return undefined;
  const picker = createUserPicker(api, find('#who-user', HTMLInputElement), {
    none: user === undefined ? 'No one' : undefined,
    onChoice: act,
  });
  setActingUser(user);

  function show() {
    const chosen = actingUser();
    button.replaceChildren(...(chosen === undefined ? ['As no one'] : ['As ', isolate(chosen.name)]));
    button.hidden = false;
  }

  function ask() {
    picker.set(actingUser());
    dialog.showModal();
    picker.input.focus();
    if (actingUser() === undefined) picker.open();
  }

  function act() {
    setActingUser(picker.chosen());
    show();
    dialog.close();
  }

  button.addEventListener('click', ask);
  find('form', HTMLFormElement, dialog).addEventListener('submit', (event) => {
    event.preventDefault();
    act();
  });
  return function start() {
    show();
    ask();
  };
}
