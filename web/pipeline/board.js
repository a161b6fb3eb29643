/** @import { Api, HistoryEvent, Lead, LeadStatus } from './api.js' */
/** @import { Column } from './column.js' */
/** @import { Filters } from './filters.js' */
/** @import { AskReason } from './lead/lost-reason.js' */
/** @import { Undo } from './undo.js' */
import { ApiError, describe } from './api.js';
import { Card } from './card.js';
import { createColumn } from './column.js';
import { find, isolate, setText } from './dom.js';
import { handleDrag } from './drag.js';
import { createEmptyState } from './empty.js';
import { formatNumber } from './format.js';
import { handleKeys } from './keys.js';
import { createMenu } from './menu.js';
import { showNotice } from './notice.js';
import { may } from './session.js';
import { createTabs } from './tabs.js';
import { createTodo } from './todo.js';
import { describeMove } from './undo.js';

/** The compiler checks that no status is missing. */
const statuses = /** @type {LeadStatus[]} */ (
  Object.keys(
    /** @satisfies {Record<LeadStatus, true>} */ ({
      new: true,
      contacted: true,
      qualified: true,
      won: true,
      lost: true,
    }),
  )
);

/**
 * @param {Api} api
 * @param {{ filters: Filters, undo: Undo, askReason: AskReason }} page
 */
export function createBoard(api, { filters, undo, askReason }) {
  /** @type {Map<string, Card>} */
  const cards = new Map();
  /** Columns to read again when no move is pending: until then, the API's answer may be older than the move. */
  const stale = new Set(statuses);
  let moves = 0;

  /** @param {Lead} lead */
  function cardOf(lead) {
    const card = cards.get(lead.id) ?? new Card(lead);
    cards.set(lead.id, card);
    card.show(lead);
    return card.element;
  }

  const columns = statuses.map((status) =>
    createColumn(api, status, { query: filters.query, cardOf, onShown }),
  );
  const todo = createTodo(api, filters.query);
  find('#board .columns', HTMLElement).replaceChildren(todo.part, ...columns.map(({ part }) => part));
  const { showTotals, showHits } = createTabs(columns);
  const openMenu = createMenu(statuses);
  const showEmpty = createEmptyState(api, { filters, onFilled: () => refresh(statuses) });
  const mayMove = may('leads:write');
  if (!mayMove) removeHandles();

  function onShown() {
    showTotals();
    const total = columns.reduce((sum, column) => sum + column.total(), 0);
    const found = total === 1 ? '1 lead' : `${formatNumber(total)} leads`;
    if (columns.every((column) => column.isRead())) showEmpty(total);
    setText(find('#found', HTMLElement), filters.isActive() ? `${found} found` : found);
  }

  /** @param {Iterable<LeadStatus>} touched */
  async function refresh(touched) {
    for (const status of touched) stale.add(status);
    if (moves > 0) return;
    const due = columns.filter(({ status }) => stale.has(status));
    stale.clear();
    await Promise.all([todo.refresh(), ...due.map((column) => column.refresh())]);
    forgetCards();
  }

  /** Cards of leads that no column shows any longer. */
  function forgetCards() {
    for (const [id, { element }] of cards) if (!element.isConnected) cards.delete(id);
  }

  /** @param {LeadStatus} status */
  const columnOf = (status) => /** @type {Column} */ (columns.find((column) => column.status === status));

  /**
   * Shows the lead at the top of its status's column.
   * @param {Card} card
   * @param {Lead} lead
   */
  function place({ lead: shown, element }, lead) {
    const focused = focusIn(element);
    const neighbour = element.nextElementSibling ?? element.previousElementSibling;
    columnOf(shown.status).take(shown);
    columnOf(lead.status).put(lead);
    if (focused !== undefined) (focused.checkVisibility() ? focused : neighbour?.querySelector('a'))?.focus();
  }

  /**
   * Shows the lead in its new column immediately, and moves it back if the API rejects the change. Moving it again before
   * the API responds changes the next request.
   * @param {Card} card
   * @param {LeadStatus} status
   */
  async function move(card, status) {
    if (card.lead.status === status) return;
    const reason = status === 'lost' ? await askReason(card.lead) : null;
    if (reason === undefined) return;
    let saved = card.lead;
    const before = saved;
    card.reason = reason;
    const focused = focusIn(card.element);
    showNotice();
    place(card, { ...saved, status });
    if (card.isMoving) return;
    card.isMoving = true;
    moves += 1;
    for (const column of columns) if (column.abort()) stale.add(column.status);
    const touched = new Set([saved.status]);
    try {
      while (saved.status !== card.lead.status) {
        const { status } = card.lead;
        const lost_reason = status === 'lost' ? card.reason : null;
        ({ data: saved } = await api.updateLead(saved, { status, ...(lost_reason && { lost_reason }) }));
        touched.add(saved.status);
      }
      place(card, saved);
      const moved = describeMove(before, saved);
      find('#moved', HTMLElement).replaceChildren(isolate(saved.name), moved);
      undo.offer(before, saved, isolate(saved.name), moved);
    } catch (error) {
      place(card, saved);
      focused?.focus();
      showNotice(isolate(saved.name), ` was not moved${refusal(error)}`);
      for (const { status } of columns) touched.add(status);
    }
    card.isMoving = false;
    moves -= 1;
    await refresh(touched);
  }

  if (mayMove) handleDrag(columns, cards, move);
  handleKeys(columns, cards, mayMove ? move : () => {});
  find('#board .columns', HTMLElement).addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('.move') : null;
    const card = cards.get(button?.closest('li')?.dataset.id ?? '');
    if (card !== undefined) openMenu(card.button, card.lead.status, (status) => move(card, status));
  });

  return {
    /** Reads all columns again. */
    refresh: () => refresh(statuses),

    /** Starts again with the first leads of each column, as after another search. */
    async restart() {
      await Promise.all([todo.refresh(), ...columns.map((column) => column.restart())]);
      showHits();
      forgetCards();
    },

    /** Reads the columns again that the events concern. @param {HistoryEvent[]} events */
    update: (events) => refresh(events.flatMap(concerned)),
  };
}

/** A client that may only read sees nothing that it could not use. */
function removeHandles() {
  const { content } = find('#card-template', HTMLTemplateElement);
  find('.card', HTMLElement, content).draggable = false;
  find('.move', HTMLElement, content).hidden = true;
  find('#board-keys', HTMLElement).textContent =
    'You can look, but not change leads: this client may only read.';
}

/** What has the focus in the card. @param {Element} card */
function focusIn(card) {
  const { activeElement: focused } = document;
  return focused instanceof HTMLElement && card.contains(focused) ? focused : undefined;
}

/** The event of a deleted lead doesn't say where it was. @param {HistoryEvent} event */
function concerned({ type, data: { object, changes } }) {
  if (type.startsWith('note.')) return [];
  if (!('status' in object)) return statuses;
  const before = 'status' in changes ? changes.status?.from : undefined;
  return before === undefined ? [object.status] : [object.status, before];
}

/** @param {unknown} error */
function refusal(error) {
  if (error instanceof ApiError && error.status === 412) {
    return ': someone else changed this lead in the meantime. The board now shows it as it is. Move it again if you still want to.';
  }
  return `. ${describe(error)}`;
}
