/** @import { Api, User } from './api.js' */
import { element, find } from './dom.js';
import { actingUser, may, onActingUser } from './session.js';
import { setSource, splitSource, watchSource } from './source-details.js';

/** @typedef {ReturnType<typeof createFilters>} Filters */
/** @typedef {'search' | 'owner' | 'source' | 'tag'} Name */

/** How long to wait after the last key before searching. Milliseconds. */
const PAUSE = 250;
/** How many users to offer as owners. A page has 100. */
const MOST_OWNERS = 500;
/** How many tags to offer. */
const TAGS = 50;

const OWNER = /^(me|none|user_[0-7][0-9a-hjkmnp-tv-z]{25})$/;

const search = find('#search', HTMLInputElement);
const owner = find('#owner', HTMLSelectElement);
const source = find('#source', HTMLSelectElement);
const tag = find('#tag', HTMLInputElement);
const mine = find('#mine', HTMLButtonElement);
const clear = find('#clear', HTMLButtonElement);

/** The fields, by their name in the address. */
const fields = /** @type {const} */ ({ search, owner, source, tag });

/**
 * What the page is about: a search, and the owner, source and tag of leads. They are in the address, so a reload or a shared
 * link keeps them. "Mine" is not the name of a person there, so that it means the leads of whoever opens the link. The part
 * of the address after # is the lead's that is open.
 * @param {Api} api
 */
export function createFilters(api) {
  /** @type {(() => unknown)[]} */
  const listeners = [];
  let timer = 0;
  /** What the listeners know. */
  let known = '';

  /** @param {Name} name */
  const textOf = (name) => fields[name].value.trim();

  /** @returns {Record<string, string>} */
  function chosen() {
    const entries = Object.keys(fields).map((name) => [name, textOf(/** @type {Name} */ (name))]);
    return Object.fromEntries(entries.filter(([, value]) => value !== ''));
  }

  /** The filters of `GET /leads`. @returns {Record<string, string>} */
  function query() {
    const { search, ...others } = chosen();
    return { ...(search !== undefined && { search }), ...toReportQuery(others) };
  }

  function show() {
    const user = actingUser();
    mine.hidden = user === undefined;
    find('[value="me"]', HTMLOptionElement, owner).hidden = user === undefined;
    mine.ariaPressed = String(owner.value === 'me');
    clear.hidden = Object.keys(chosen()).length === 0;
    for (const field of Object.values(fields)) field.classList.toggle('active', field.value.trim() !== '');
  }

  function apply() {
    clearTimeout(timer);
    show();
    const search = new URLSearchParams(chosen()).toString();
    // Doesn't add to the history, where each letter of a search would be a step.
    history.replaceState(null, '', `${location.pathname}${search && `?${search}`}${location.hash}`);
    const now = JSON.stringify(query());
    if (now === known) return;
    known = now;
    for (const listener of listeners) listener();
  }

  function readAddress() {
    const given = new URLSearchParams(location.search);
    const wanted = given.get('owner') ?? '';
    search.value = (given.get('search') ?? '').slice(0, search.maxLength);
    setSource(given.get('source') ?? '');
    tag.value = (given.get('tag') ?? '').slice(0, tag.maxLength);
    const isPossible = OWNER.test(wanted) && (wanted !== 'me' || may('users:read'));
    setOwner(isPossible ? wanted : '');
  }

  watchSource(api);
  readAddress();
  known = JSON.stringify(query());
  show();

  for (const field of [search, tag]) {
    field.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(apply, PAUSE);
    });
  }
  for (const field of Object.values(fields)) field.addEventListener('change', apply);
  find('#filters', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    apply();
  });
  mine.addEventListener('click', () => {
    setOwner(owner.value === 'me' ? '' : 'me');
    apply();
  });
  clear.addEventListener('click', () => {
    reset();
    search.focus();
  });
  addEventListener('popstate', () => {
    readAddress();
    apply();
  });
  onActingUser(() => {
    if (actingUser() === undefined && owner.value === 'me') setOwner('');
    apply();
  });

  function reset() {
    for (const field of Object.values(fields)) field.value = '';
    apply();
  }

  return {
    query,

    /** The filters of the reports that can't search. */
    reportQuery: () => toReportQuery(chosen()),

    isActive: () => Object.keys(query()).length > 0,

    reset,

    /** @param {() => unknown} listener */
    onChange: (listener) => listeners.push(listener),

    /** Reads the owners and tags to offer. */
    load: () => Promise.allSettled([loadOwners(api), loadTags(api)]),
  };
}

/**
 * Without an acting user, nothing is mine.
 * @param {Record<string, string>} chosen
 * @returns {Record<string, string>}
 */
function toReportQuery({ owner, source, tag }) {
  const user = owner === 'me' ? actingUser()?.id : owner;
  return {
    ...(user !== undefined && { assigned_user_id: user }),
    ...(source !== undefined && splitSource(source)),
    // A tag with a comma would be two.
    ...(tag !== undefined && { tag: tag.split(',')[0] ?? '' }),
  };
}

/** Chooses the owner, who may not be among the users to choose from yet. @param {string} id */
function setOwner(id) {
  const isKnown = [...owner.options].some(({ value }) => value === id);
  if (!isKnown) owner.append(element('option', { value: id }, 'Another user'));
  owner.value = id;
}

/** @param {Api} api */
async function loadOwners(api) {
  if (!may('users:read')) return;
  /** @type {User[]} */
  const users = [];
  let cursor = '';
  do {
    const page = await api.get(`/users?sort=name&per_page=100${cursor && `&cursor=${cursor}`}`);
    users.push(...page.data);
    cursor = page.meta.next_cursor ?? '';
  } while (cursor !== '' && users.length < MOST_OWNERS);
  const chosen = owner.value;
  if (chosen.startsWith('user_') && !users.some(({ id }) => id === chosen)) {
    await api.get(`/users/${chosen}`).then(
      ({ data }) => users.push(data),
      () => {},
    );
  }
  const fixed = [...owner.options].filter(({ value }) => !value.startsWith('user_'));
  owner.replaceChildren(
    ...fixed,
    ...users.map(({ id, name, active }) =>
      element('option', { value: id }, active ? `\u2068${name}\u2069` : `\u2068${name}\u2069 (inactive)`),
    ),
  );
  setOwner(chosen);
}

/** @param {Api} api */
async function loadTags(api) {
  /** @type {{ data: { tag: string }[] }} */
  const { data } = await api.get(`/tags?resource=leads&per_page=${TAGS}`);
  find('#tags', HTMLDataListElement).replaceChildren(
    ...data.filter(({ tag }) => !tag.includes(',')).map(({ tag }) => element('option', { value: tag })),
  );
}
