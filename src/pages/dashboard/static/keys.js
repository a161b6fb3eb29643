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
      for (const button of list.querySelectorAll('button')) button.tabIndex = button === target ? 0 : -1;
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
      else if (neighbour !== undefined) neighbour.list.querySelector('button')?.focus();
      else if (key === 'ArrowDown') item.nextElementSibling?.querySelector('button')?.focus();
      else if (key === 'ArrowUp') item.previousElementSibling?.querySelector('button')?.focus();
      else return;
      event.preventDefault();
    });
  }
}
