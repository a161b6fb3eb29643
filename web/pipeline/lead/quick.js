/** @import { Api, Lead, LeadStatus } from '../api.js' */
/** @import { Names } from './names.js' */
import { element } from '../dom.js';
import { capitalize } from '../format.js';
import { may } from '../session.js';
import { createUserPicker } from '../user-picker.js';

const STATUSES = /** @type {LeadStatus[]} */ (['new', 'contacted', 'qualified', 'won', 'lost']);

/** The lead's status, to choose if the client may. @param {Lead} lead @param {(status: LeadStatus) => void} onChoice */
export function createStatus({ status }, onChoice) {
  if (!may('leads:write')) return labelled('Status', element('span', {}, capitalize(status)));
  const options = STATUSES.map((value) => element('option', { value }, capitalize(value)));
  const select = element('select', { id: 'lead-status' }, ...options);
  select.value = status;
  select.addEventListener('change', () => onChoice(/** @type {LeadStatus} */ (select.value)));
  return labelled('Status', select);
}

/**
 * The lead's owner, to choose if the client may.
 * @param {Api} api
 * @param {Lead} lead
 * @param {Names} names
 * @param {(id: string | null) => void} onChoice
 */
export function createOwner(api, { assigned_user_id: id }, names, onChoice) {
  if (!may('leads:write') || !may('users:read')) return labelled('Owner', names.show(id, 'No one'));
  const input = element('input', { id: 'lead-owner' });
  const part = labelled('Owner', input);
  const picker = createUserPicker(api, input, {
    none: 'No one',
    onChoice() {
      const chosen = picker.chosen()?.id ?? null;
      if (chosen !== id) onChoice(chosen);
    },
  });
  if (id !== null) {
    picker.set({ id, name: '…' });
    names.nameOf(id).then((name) => {
      if (picker.chosen()?.id === id) picker.set({ id, name });
    });
  }
  return part;
}

/** @param {string} label @param {HTMLElement} content */
function labelled(label, content) {
  const name =
    content.id === '' ? element('span', {}, label) : element('label', { htmlFor: content.id }, label);
  name.classList.add('hint');
  return element('div', { className: 'field' }, name, content);
}
