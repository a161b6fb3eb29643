/** @import { Lead } from './api.js' */
import { find, fromTemplate, setText } from './dom.js';
import { formatMoment, formatMoney } from './format.js';

/** The card of a lead. */
export class Card {
  element = fromTemplate('#card-template');
  button = find('.move', HTMLButtonElement, this.element);

  /** Whether a request that changes its status is pending. */
  isMoving = false;

  /** @param {Lead} lead */
  constructor(lead) {
    this.lead = lead;
    this.show(lead);
  }

  /** @param {Lead} lead */
  show(lead) {
    const { name, email, company, source, status, status_changed_at, value } = lead;
    this.lead = lead;
    this.element.dataset.id = lead.id;
    setText(find('.name bdi', HTMLElement, this.element), name);
    setText(find('.detail bdi', HTMLElement, this.element), company ?? email);
    const worth = value === null ? '' : ` · ${formatMoney(value.amount, value.currency)}`;
    const facts = `${source} · ${formatMoment(status_changed_at)}${worth}`;
    setText(find('.facts', HTMLElement, this.element), facts);
    this.button.ariaLabel = `Move ${name}, now ${status}`;
  }
}
