/** @import { Api, User } from './api.js' */
import { describe } from './api.js';
import { element, isolate, setText } from './dom.js';

/** @typedef {Pick<User, 'id' | 'name'> & Partial<User>} Choice */
/** @typedef {ReturnType<typeof createUserPicker>} UserPicker */

/** How many users the list shows. Typing finds the others. */
const SHOWN = 20;
/** How long to wait after the last key before searching. Milliseconds. */
const PAUSE = 200;

let count = 0;

/**
 * A field that searches the active users while one types.
 * @param {Api} api
 * @param {HTMLInputElement} input The field to extend. The list comes after it.
 * @param {object} options
 * @param {string} [options.none] What stands for nobody. Without it, a user must be chosen.
 * @param {() => void} [options.onChoice] Called whenever somebody chooses, also the same user.
 */
export function createUserPicker(api, input, { none, onChoice } = {}) {
  count += 1;
  const list = element('ul', { id: `users-${count}`, role: 'listbox', ariaLabel: 'Users', hidden: true });
  const state = element('p', { className: 'hint', role: 'status' });
  // Above what follows, which must not move while somebody clicks on it.
  input.after(element('div', { className: 'picker' }, element('div', {}, list, state)));
  for (const [name, value] of Object.entries({
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: none ?? 'Type a name',
    'aria-autocomplete': 'list',
    'aria-controls': list.id,
    'aria-expanded': 'false',
  })) {
    input.setAttribute(name, value);
  }

  /** @type {Choice | undefined} */
  let chosen;
  /** @type {(Choice | undefined)[]} */
  let choices = [];
  let active = -1;
  let timer = 0;
  /** @type {AbortController | undefined} */
  let reading;

  const isOpen = () => !list.hidden;
  const isTyped = () => input.value !== (chosen?.name ?? '');

  /** @param {string} words */
  async function open(words) {
    reading?.abort();
    reading = new AbortController();
    const { signal } = reading;
    const query = new URLSearchParams({ active: 'true', sort: 'name', per_page: String(SHOWN) });
    if (words !== '') query.set('search', words);
    try {
      const { data, meta } = await api.get(`/users?${query}`, signal);
      if (signal.aborted || document.activeElement !== input) return;
      const more = meta.total > data.length ? `${data.length} of ${meta.total}. Type to find others.` : '';
      show(none !== undefined && words === '' ? [undefined, ...data] : data);
      setText(state, meta.total === 0 ? 'No active user is found.' : more);
      activate(isTyped() ? 0 : choices.findIndex((choice) => choice?.id === chosen?.id));
    } catch (error) {
      if (!signal.aborted) setText(state, describe(error));
    }
  }

  /** @param {(Choice | undefined)[]} found */
  function show(found) {
    choices = found;
    list.replaceChildren(...found.map(toOption));
    list.hidden = found.length === 0;
    input.ariaExpanded = String(isOpen());
  }

  /** @param {Choice | undefined} choice @param {number} index */
  function toOption(choice, index) {
    const name = choice === undefined ? (none ?? '') : isolate(choice.name);
    const email = choice?.email === undefined ? '' : element('span', { className: 'hint' }, choice.email);
    const option = element('li', { id: `${list.id}-${index}`, role: 'option' }, name, ' ', email);
    // The field keeps the focus.
    option.addEventListener('pointerdown', (event) => event.preventDefault());
    option.addEventListener('click', () => choose(choice));
    return option;
  }

  /** @param {number} index */
  function activate(index) {
    active = Math.min(index, choices.length - 1);
    for (const [place, option] of [...list.children].entries()) {
      option.ariaSelected = String(place === active);
    }
    const option = list.children[active];
    option?.scrollIntoView({ block: 'nearest' });
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', option.id);
  }

  function close() {
    clearTimeout(timer);
    reading?.abort();
    show([]);
    activate(-1);
    setText(state, '');
    input.value = chosen?.name ?? '';
  }

  /** @param {Choice | undefined} choice */
  function choose(choice) {
    chosen = choice;
    close();
    onChoice?.();
  }

  input.addEventListener('click', () => {
    if (!isOpen()) open('');
  });
  input.addEventListener('focus', () => input.select());
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => open(input.value.trim()), PAUSE);
  });
  input.addEventListener('blur', () => {
    const isEmptied = input.value.trim() === '' && none !== undefined;
    if (isEmptied && chosen !== undefined) choose(undefined);
    else if (isTyped() && isOpen() && active !== -1) choose(choices[active]);
    else close();
  });
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      if (isOpen()) activate((active + step + choices.length) % choices.length);
      else open('');
    } else if (event.key === 'Enter' && isOpen() && active !== -1) choose(choices[active]);
    else if (event.key === 'Enter' && isTyped()) open(input.value.trim());
    else if (event.key === 'Escape' && isOpen()) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    input,
    open: () => open(''),
    chosen: () => chosen,

    /** @param {Choice | undefined} choice */
    set(choice) {
      chosen = choice;
      close();
    },
  };
}
