/** @import { Lead } from './api.js' */
import { element, find, fromTemplate, setText } from './dom.js';
import { capitalize, formatMoment, formatMoney, formatShortDay } from './format.js';

/** The card of a lead. */
export class Card {
  element = fromTemplate('#card-template');
  button = find('.move', HTMLButtonElement, this.element);
  #name = element('bdi');
  /** Opens the lead's panel. */
  #link = element('a', { className: 'open', draggable: false, tabIndex: -1 }, this.#name);

  /** Whether a request that changes its status is pending. */
  isMoving = false;

  /** Why the lead is lost, if it is being moved to there. @type {string | null} */
  reason = null;

  /** @param {Lead} lead */
  constructor(lead) {
    this.lead = lead;
    this.#link.setAttribute('aria-describedby', 'board-keys');
    this.#link.setAttribute('aria-keyshortcuts', 'Shift+ArrowLeft Shift+ArrowRight');
    find('.name', HTMLElement, this.element).append(this.#link);
    this.show(lead);
  }

  /** @param {Lead} lead */
  show(lead) {
    const { name, email, company, source, status, status_changed_at, value } = lead;
    this.lead = lead;
    this.element.dataset.id = lead.id;
    this.#link.href = `#${lead.id}`;
    setText(this.#name, name);
    const detail = find('.detail bdi', HTMLElement, this.element);
    setText(detail, company ?? email);
    detail.title = company ?? email;
    const facts = find('.facts', HTMLElement, this.element);
    const worth = value === null ? '' : formatMoney(value.amount, value.currency);
    setText(find('.worth', HTMLElement, facts), worth);
    setText(find('.since', HTMLElement, facts), `${formatShortDay(status_changed_at)} · ${source}`);
    facts.title = `${capitalize(status)} since ${formatMoment(status_changed_at)}`;
    this.button.ariaLabel = `Move ${name}, now ${status}`;
  }
}
