/** Searches the chapters and the operations in the browser. The index is made at the first visit to the field. */

/**
 * @typedef {{ id: number, url: string, title: string, heading: string, text: string, names?: string[],
 *   summary?: string, operationId?: string }} Entry
 * @typedef {import('minisearch').SearchResult & Entry} Result
 */

const LIMIT = 20;
/** Characters of a result's text. */
const EXCERPT = 140;
/** Names such as `duplicate_email` are one word, so that a search for one finds no others. */
const BETWEEN_WORDS = /(?:(?!_)[\s\p{P}])+/u;
/** Words of questions, such as "how to get a token". */
const STOP_WORDS = new Set('a an and by do does for how i in is of on or the to with'.split(' '));

const search = /** @type {HTMLElement} */ (document.querySelector('#search'));
const field = /** @type {HTMLInputElement} */ (search.querySelector('input'));
const panel = /** @type {HTMLElement} */ (search.querySelector('.panel'));
const status = /** @type {HTMLElement} */ (panel.querySelector('[role="status"]'));
const list = /** @type {HTMLElement} */ (panel.querySelector('ol'));
const { root = '' } = search.dataset;

/** @type {Promise<import('minisearch').default<Entry>> | undefined} */
let index;
search.hidden = false;
field.addEventListener('focus', open);
field.addEventListener('input', show);
search.addEventListener('keydown', followKey);
search.addEventListener('focusout', ({ relatedTarget }) => {
  if (!(relatedTarget instanceof Node && search.contains(relatedTarget))) panel.hidden = true;
});
// Safari doesn't focus links that are clicked, so a panel closed on focusout would be gone before the click.
panel.addEventListener('mousedown', (event) => event.preventDefault());
document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (key !== '/' || ctrlKey || metaKey || altKey || (target instanceof Element && target.matches('input')))
    return;
  event.preventDefault();
  field.focus();
  field.select();
});

function open() {
  load().catch(() => {});
  if (field.value !== '') show();
}

function load() {
  index ??= makeIndex().catch((error) => {
    index = undefined;
    throw error;
  });
  return index;
}

async function makeIndex() {
  const [{ default: MiniSearch }, response] = await Promise.all([
    /** @type {Promise<typeof import('minisearch')>} */ (
      import(`${new URL('es/index.js', import.meta.url)}`)
    ),
    fetch(`${root}guides/search.json`),
  ]);
  if (!response.ok) throw new Error(`${response.status}`);
  /** @type {Entry[]} */
  const entries = await response.json();
  const made = new MiniSearch({
    fields: ['title', 'heading', 'operationId', 'summary', 'names', 'text'],
    storeFields: ['url', 'title', 'heading', 'text', 'operationId'],
    tokenize: (text) => text.split(BETWEEN_WORDS),
    searchOptions: {
      boost: { title: 3, heading: 3, operationId: 3, summary: 3 },
      // Chapters explain what operations only list.
      boostDocument: (_id, _term, entry) => (entry?.operationId === undefined ? 1.7 : 1),
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  made.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return made;
}

async function show() {
  const query = field.value.trim();
  panel.hidden = query === '';
  if (panel.hidden) return;
  const loaded = await load().catch(() => undefined);
  // Another key may have been pressed while the index was loading.
  if (query !== field.value.trim()) return;
  if (loaded === undefined) {
    list.replaceChildren();
    status.textContent = 'The search could not be loaded.';
    return;
  }
  const results = find(loaded, query);
  status.textContent = results.length === 0 ? 'Nothing found' : `${results.length} found`;
  list.replaceChildren(...results.slice(0, LIMIT).map(item));
}

/**
 * The entries with all words of the query. If no entry has them all, those with some of them. Stop words count only alone.
 *
 * @param {import('minisearch').default<Entry>} index
 * @param {string} query
 */
function find(index, query) {
  const words = query.split(BETWEEN_WORDS).filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  const terms = words.join(' ').trim() || query;
  const all = index.search(terms, { combineWith: 'AND' });
  return /** @type {Result[]} */ (all.length > 0 ? all : index.search(terms));
}

/** @param {Result} result */
function item({ url, title, heading, text, terms, operationId }) {
  const link = document.createElement('a');
  link.href = root + url;
  const name = document.createElement(operationId === undefined ? 'strong' : 'code');
  name.textContent = title;
  link.append(name);
  if (heading !== '') link.append(operationId === undefined ? ' › ' : ' ', heading);
  const excerpt = document.createElement('span');
  excerpt.append(...marked(excerptOf(text, terms), terms));
  link.append(excerpt);
  const row = document.createElement('li');
  row.append(link);
  return row;
}

/**
 * The part of the text around the first term.
 *
 * @param {string} text
 * @param {string[]} terms
 */
function excerptOf(text, terms) {
  const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place !== -1);
  const first = Math.max(0, Math.min(...places, text.length) - EXCERPT / 3);
  const start = places.length === 0 || first === 0 ? 0 : text.indexOf(' ', first) + 1;
  const rest = text.slice(start);
  const end = rest.length > EXCERPT ? rest.lastIndexOf(' ', EXCERPT) : rest.length;
  return `${start > 0 ? '…' : ''}${rest.slice(0, end)}${end < rest.length ? ' …' : ''}`;
}

/**
 * @param {string} text
 * @param {string[]} terms
 */
function marked(text, terms) {
  const pattern = terms.map((term) => term.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  if (pattern === '') return [text];
  // With a group, split() returns what it split at in every second place.
  return text.split(new RegExp(`(${pattern})`, 'i')).map((part, place) => {
    if (place % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

/** @param {KeyboardEvent} event */
function followKey(event) {
  const links = [...list.querySelectorAll('a')];
  const at = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
  if (event.key === 'Escape' && !panel.hidden) {
    field.focus();
    panel.hidden = true;
  } else if (event.key === 'ArrowDown' && !panel.hidden) {
    links[Math.min(at + 1, links.length - 1)]?.focus();
  } else if (event.key === 'ArrowUp' && at !== -1) {
    (at === 0 ? field : links[at - 1])?.focus();
  } else if (event.key === 'Enter' && at === -1 && !panel.hidden) {
    links[0]?.click();
  } else return;
  event.preventDefault();
}
