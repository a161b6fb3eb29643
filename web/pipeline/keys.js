/** @import { LeadStatus } from './api.js' */
/** @import { Card } from './card.js' */
/** @import { Column } from './column.js' */

/**
 * The arrow keys go from card to card and from column to column; with Shift, left and right move the card.
 * @param {Column[]} columns
 * @param {Map<string, Card>} cards
 * @param {(card: Card, status: LeadStatus) => void} move
 */
export function handleKeys(columns, cards, move) {
  for (const [index, { list }] of columns.entries()) {
    list.addEventListener('focusin', ({ target }) => {
      if (target instanceof Element) setTabStop(list, target.closest('li'));
    });
    list.addEventListener('keydown', (event) => {
      const { key, shiftKey, altKey, ctrlKey, metaKey, target } = event;
      const item = target instanceof Element ? target.closest('li') : null;
      if (item === null || altKey || ctrlKey || metaKey) return;
      const side = { ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0;
      const neighbour = side === 0 ? undefined : columns[index + side];
      const card = cards.get(item.dataset.id ?? '');
      if (shiftKey && neighbour !== undefined && card !== undefined) move(card, neighbour.status);
      else if (shiftKey) return;
      else if (neighbour !== undefined) neighbour.list.querySelector('a')?.focus();
      else if (key === 'ArrowDown') item.nextElementSibling?.querySelector('a')?.focus();
      else if (key === 'ArrowUp') item.previousElementSibling?.querySelector('a')?.focus();
      else return;
      event.preventDefault();
    });
  }
}

/** The Tab key stops at the name and the menu of one card of each column. @param {Element} list @param {Element | null} item */
export function setTabStop(list, item) {
  for (const part of list.querySelectorAll('.open, .move')) {
    if (part instanceof HTMLElement) part.tabIndex = part.closest('li') === item ? 0 : -1;
  }
}
