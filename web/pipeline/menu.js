/** @import { LeadStatus } from './api.js' */
import { element, find } from './dom.js';
import { capitalize } from './format.js';

const menu = find('#menu', HTMLElement);

/**
 * Returns a function that opens the menu of statuses at a button.
 * @param {readonly LeadStatus[]} statuses
 */
export function createMenu(statuses) {
  /** @type {((status: LeadStatus) => void) | undefined} */
  let choose;
  /** @type {HTMLElement | undefined} */
  let opener;

  const items = statuses.map((status) => {
    const item = element('button', { type: 'button', tabIndex: -1 }, capitalize(status));
    item.setAttribute('role', 'menuitem');
    item.addEventListener('click', () => {
      menu.hidePopover();
      choose?.(status);
    });
    return item;
  });
  menu.replaceChildren(element('p', { ariaHidden: 'true' }, 'Move to'), ...items);

  menu.addEventListener('keydown', (event) => {
    const choices = items.filter(({ disabled }) => !disabled);
    const index = choices.findIndex((item) => item.matches(':focus'));
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) {
      if (event.key === 'Tab') menu.hidePopover();
      return;
    }
    event.preventDefault();
    choices.at(next % choices.length)?.focus();
  });
  menu.addEventListener('toggle', (event) => {
    opener?.setAttribute('aria-expanded', String(event.newState === 'open'));
  });

  /**
   * @param {HTMLElement} button
   * @param {LeadStatus} current
   * @param {(status: LeadStatus) => void} onChoice
   */
  return function open(button, current, onChoice) {
    opener = button;
    choose = onChoice;
    for (const [index, item] of items.entries()) item.disabled = statuses[index] === current;
    menu.showPopover();
    const { right, bottom } = button.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = menu;
    menu.style.setProperty('--x', `${Math.max(right - offsetWidth, 0)}px`);
    menu.style.setProperty('--y', `${Math.max(Math.min(bottom, innerHeight - offsetHeight), 0)}px`);
    items.find(({ disabled }) => !disabled)?.focus();
  };
}
