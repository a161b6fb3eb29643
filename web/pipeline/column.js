/** @import { Api, Lead, LeadPage, LeadStatus } from './api.js' */
import { element, find, fromTemplate, setText } from './dom.js';
import { capitalize, formatNumber } from './format.js';
import { setTabStop } from './keys.js';
import { createPanel } from './panel.js';

/** @typedef {ReturnType<typeof createColumn>} Column */

/** How many leads a column shows first, and how many each "Show more" adds. */
const PAGE = 20;
/** The maximum page size of the API. */
const LARGEST_PAGE = 100;

/**
 * The leads of one status, the latest to enter it first.
 * @param {Api} api
 * @param {LeadStatus} status
 * @param {object} board
 * @param {() => Record<string, string>} board.query The search and the filters.
 * @param {(lead: Lead) => HTMLElement} board.cardOf
 * @param {() => void} board.onShown
 */
export function createColumn(api, status, { query, cardOf, onShown }) {
  const part = fromTemplate('#column-template');
  const list = find('ul', HTMLUListElement, part);
  const more = find('.more', HTMLButtonElement, part);
  const count = element('span', { className: 'total' });
  const value = element('span', { className: 'value' });
  const heading = element('h3', { id: `column-${status}` }, capitalize(status), ' ', count, ' ', value);
  part.prepend(heading);
  part.dataset.status = status;
  part.setAttribute('aria-labelledby', heading.id);
  more.ariaLabel = `Show more leads: ${status}`;

  /** @type {Lead[]} */
  let leads = [];
  let total = 0;
  let isRead = false;
  let wanted = PAGE;

  /** Reads everything that the column shows again. */
  const { refresh, abort } = createPanel(part, async (signal) => {
    /** @type {Lead[]} */
    const read = [];
    /** @type {LeadPage['meta']} */
    let meta;
    let cursor = '';
    do {
      const size = Math.min(wanted - read.length, LARGEST_PAGE);
      const sort = '-status_changed_at';
      const parameters = new URLSearchParams({ ...query(), status, sort, per_page: String(size) });
      if (cursor !== '') parameters.set('cursor', cursor);
      /** @type {LeadPage} */
      const page = await api.get(`/leads?${parameters}`, signal);
      read.push(...page.data);
      meta = page.meta;
      cursor = meta.next_cursor ?? '';
    } while (cursor !== '' && read.length < wanted);
    leads = read;
    total = meta.total;
    isRead = true;
    show();
  });

  function show() {
    setText(count, formatNumber(total));
    more.hidden = leads.length >= total;
    const focused = document.activeElement;
    arrange(
      list,
      leads.length > 0 ? leads.map(cardOf) : [element('li', { className: 'empty' }, 'No leads.')],
    );
    if (focused instanceof HTMLElement && list.contains(focused)) focused.focus();
    keepOneTabStop(list);
    onShown();
  }

  more.addEventListener('click', async () => {
    const shown = leads.length;
    wanted = shown + PAGE;
    await refresh();
    // The new cards have taken the button's place, or it is gone.
    find('.open', HTMLElement, list.children[shown] ?? part).focus();
  });

  return {
    status,
    part,
    list,
    refresh,
    abort,
    total: () => total,
    isRead: () => isRead,

    /** Starts again with the first page, as after another search. */
    restart() {
      wanted = PAGE;
      return refresh();
    },

    /** Shows the lead on top, before the API has said so. @param {Lead} lead */
    put(lead) {
      leads = [lead, ...leads];
      total += 1;
      show();
    },

    /** Takes the lead away. @param {Lead} lead */
    take({ id }) {
      leads = leads.filter((lead) => lead.id !== id);
      total -= 1;
      show();
    },
  };
}

/**
 * Moves only misplaced cards, so that the others keep the focus and the scroll position.
 * @param {Element} list
 * @param {Element[]} items
 */
function arrange(list, items) {
  for (const [index, item] of items.entries()) {
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
  }
  while (list.children.length > items.length) list.lastElementChild?.remove();
}

/** The Tab key stops once in each column; the arrow keys do the rest. @param {Element} list */
function keepOneTabStop(list) {
  const cards = [...list.children];
  const focused = cards.find((card) => card.contains(document.activeElement));
  const stop = cards.find((card) => card.querySelector('a')?.tabIndex === 0);
  setTabStop(list, focused ?? stop ?? cards[0] ?? null);
}
