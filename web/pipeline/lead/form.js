/** @import { Api, UpdateLead } from '../api.js' */
/** @import { Field, Initial } from './fields.js' */
import { ApiError, describe } from '../api.js';
import { element, find } from '../dom.js';
import { capitalize } from '../format.js';
import { createFields } from './fields.js';

let count = 0;

/**
 * A form with the fields of a lead.
 * @param {Api} api
 * @param {Initial} lead What is in the fields at first.
 * @param {object} options
 * @param {string} options.action What the button says.
 * @param {(form: ReturnType<typeof createForm>) => Promise<unknown>} options.onSubmit An error is shown in the form.
 * @param {() => void} options.onCancel
 */
export function createForm(api, lead, { action, onSubmit, onCancel }) {
  count += 1;
  const prefix = `lead-form-${count}`;
  const fields = createFields(api, lead, prefix);
  const initial = new Map(fields.map(({ name, value }) => [name, JSON.stringify(value())]));
  const failure = element('div', { className: 'error', role: 'alert' });
  const submit = element('button', { type: 'submit', className: 'primary' }, action);
  const cancel = element('button', { type: 'button', onclick: onCancel }, 'Cancel');
  const part = element(
    'form',
    { noValidate: true, className: 'fields' },
    ...fields.map((field) => toElement(field, prefix)),
    failure,
    element('p', { className: 'buttons' }, submit, cancel),
  );

  const form = {
    part,

    /** What differs from the values at first. @returns {UpdateLead} */
    changes() {
      const changed = fields.filter(({ name, value }) => JSON.stringify(value()) !== initial.get(name));
      return Object.fromEntries(changed.map(({ name, value }) => [name, value()]));
    },

    /** What is filled in. */
    values() {
      const filled = fields.map(({ name, value }) => [name, value()]);
      return Object.fromEntries(filled.filter(([, value]) => value !== null));
    },

    /** @param {(Node | string)[]} message */
    say(...message) {
      failure.replaceChildren(...message);
      failure.scrollIntoView({ block: 'nearest' });
    },
  };

  part.addEventListener('submit', async (event) => {
    event.preventDefault();
    submit.disabled = true;
    clearErrors(part);
    form.say();
    try {
      await onSubmit(form);
    } catch (error) {
      showErrors(part, prefix, error, form.say);
    } finally {
      submit.disabled = false;
    }
  });
  return form;
}

/** @param {Field} field @param {string} prefix */
function toElement({ name, label, control, parts }, prefix) {
  control.id = `${prefix}-${name}`;
  control.setAttribute('aria-describedby', `${prefix}-${name}-error`);
  return element(
    'div',
    { className: `field ${name}` },
    element('label', { htmlFor: control.id }, label),
    ...parts,
    element('p', { id: `${prefix}-${name}-error`, className: 'error' }),
  );
}

/** @param {HTMLElement} part */
function clearErrors(part) {
  for (const shown of part.querySelectorAll('.field .error')) shown.textContent = '';
  for (const control of part.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid');
}

/**
 * Shows each message of the API next to its field, and others above the button.
 * @param {HTMLElement} part
 * @param {string} prefix
 * @param {unknown} error
 * @param {(...message: (Node | string)[]) => void} say
 */
function showErrors(part, prefix, error, say) {
  const errors = error instanceof ApiError ? Object.entries(error.errors) : [];
  const rest = [];
  for (const [path, messages] of errors) {
    const control = part.querySelector(`[id="${prefix}-${path.replace(/\..*/, '')}"]`);
    if (control === null) rest.push(...messages);
    else {
      control.setAttribute('aria-invalid', 'true');
      const place = find(`[id="${control.id}-error"]`, HTMLElement, part);
      place.textContent = [place.textContent, ...messages.map(capitalize)].join(' ').trim();
    }
  }
  const existing = error instanceof ApiError ? error.existingId : undefined;
  if (existing !== undefined)
    say(`${describe(error)} `, element('a', { href: `#${existing}` }, 'Open the existing lead'));
  else if (rest.length > 0 || errors.length === 0) say(rest.join(' ') || describe(error));
  const first = part.querySelector('[aria-invalid]');
  if (first instanceof HTMLElement) first.focus();
}
