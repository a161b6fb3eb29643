/** @import { LeadStatus } from './api.js' */
/** @import { Card } from './card.js' */
/** @import { Column } from './column.js' */

/**
 * Moves a card to the column on which it is dropped.
 * @param {Column[]} columns
 * @param {Map<string, Card>} cards
 * @param {(card: Card, status: LeadStatus) => void} move
 */
export function handleDrag(columns, cards, move) {
  /** @type {Card | undefined} */
  let dragged;
  for (const { part, status } of columns) {
    part.addEventListener('dragstart', ({ target, dataTransfer }) => {
      const card = target instanceof HTMLElement ? cards.get(target.dataset.id ?? '') : undefined;
      if (card === undefined || dataTransfer === null) return;
      dragged = card;
      dataTransfer.effectAllowed = 'move';
      dataTransfer.setData('text/plain', card.lead.name);
      card.element.classList.add('dragged');
    });
    part.addEventListener('dragend', () => {
      dragged?.element.classList.remove('dragged');
      dragged = undefined;
      for (const column of columns) column.part.classList.remove('target');
    });
    part.addEventListener('dragover', (event) => {
      if (dragged === undefined) return;
      event.preventDefault();
      part.classList.toggle('target', dragged.lead.status !== status);
    });
    part.addEventListener('dragleave', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && part.contains(relatedTarget))) part.classList.remove('target');
    });
    part.addEventListener('drop', (event) => {
      if (dragged === undefined) return;
      event.preventDefault();
      dragged.element.classList.remove('dragged');
      part.classList.remove('target');
      move(dragged, status);
      dragged = undefined;
    });
  }
}
