/** @import { Api, Lead, UpdateLead } from '../api.js' */
import { element } from '../dom.js';
import { may } from '../session.js';
import { createUserPicker } from '../user-picker.js';

/**
 * A field of the form: its control, its value as the API takes it, and how to fill it in.
 * @typedef {object} Field
 * @property {keyof UpdateLead} name
 * @property {string} label
 * @property {HTMLElement} control What the label names.
 * @property {(Node | string)[]} parts
 * @property {() => unknown} value
 */

/** @typedef {Partial<Lead>} Initial */

const SOURCES = ['website', 'referral', 'api', 'manual'];
const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'AUD', 'CAD', 'CNY', 'INR', 'PLN', 'SEK'];

/**
 * The fields of a lead that people edit, in this order.
 * @param {Api} api
 * @param {Initial} lead
 * @param {string} prefix Of the ids of the controls.
 * @returns {Field[]}
 */
export function createFields(api, lead, prefix) {
  /** @param {'name' | 'email' | 'phone' | 'company' | 'source_detail' | 'external_id' | 'lost_reason' | 'next_step'} name
   * @param {string} label @param {Partial<HTMLInputElement>} properties @returns {Field} */
  function text(name, label, properties = {}) {
    const control = element('input', { value: lead[name] ?? '', autocomplete: 'off', ...properties });
    return { name, label, control, parts: [control], value: () => control.value.trim() || null };
  }

  const source = element('select', {}, ...SOURCES.map((name) => element('option', {}, name)));
  source.value = lead.source ?? 'manual';
  const day = element('input', { type: 'date', value: lead.expected_close_on ?? '' });
  const stepAt = element('input', { type: 'datetime-local', value: toLocal(lead.next_step_at) });
  const tags = element('input', { value: lead.tags?.join(', ') ?? '', autocomplete: 'off' });

  return [
    text('name', 'Name', { required: true }),
    text('email', 'Email', { required: true, inputMode: 'email', spellcheck: false }),
    text('phone', 'Phone', { type: 'tel' }),
    text('company', 'Company'),
    { name: 'source', label: 'Source', control: source, parts: [source], value: () => source.value },
    text('source_detail', 'Source detail', { placeholder: 'Trade show Berlin' }),
    // The panel of an existing lead has its owner above the form.
    ...(lead.id === undefined && may('users:read') ? [ownerField(api, lead)] : []),
    valueField(lead, prefix),
    {
      name: 'expected_close_on',
      label: 'Expected close',
      control: day,
      parts: [day],
      value: () => day.value || null,
    },
    text('next_step', 'Next step', { maxLength: 200 }),
    {
      name: 'next_step_at',
      label: 'Next step at',
      control: stepAt,
      parts: [stepAt],
      value: () => (stepAt.value === '' ? null : new Date(stepAt.value).toISOString()),
    },
    ...(lead.status === 'lost' ? [text('lost_reason', 'Lost because')] : []),
    {
      name: 'tags',
      label: 'Tags, separated by commas',
      control: tags,
      parts: [tags],
      value: () =>
        tags.value
          .split(',')
          .map((tag) => tag.trim())
          .filter((tag) => tag !== ''),
    },
    text('external_id', 'External id'),
    metadataField(api, lead),
  ];
}

/** As the control has it, in the time zone of whoever looks at it. @param {string | null | undefined} timestamp */
function toLocal(timestamp) {
  if (!timestamp) return '';
  const time = new Date(timestamp);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** @param {Api} api @param {Initial} lead @returns {Field} */
function ownerField(api, { assigned_user_id: id = null }) {
  const control = element('input');
  // The list has its place after the control.
  const part = element('div', {}, control);
  const picker = createUserPicker(api, control, { none: 'No one' });
  if (id !== null) {
    picker.set({ id, name: id });
    api.get(`/users/${id}`).then(
      ({ data }) => picker.chosen()?.id === id && picker.set(data),
      () => {},
    );
  }
  return {
    name: 'assigned_user_id',
    label: 'Owner',
    control,
    parts: [part],
    value: () => picker.chosen()?.id ?? null,
  };
}

/** @param {Initial} lead @param {string} prefix @returns {Field} */
function valueField({ value }, prefix) {
  const amount = element('input', {
    value: value?.amount ?? '',
    inputMode: 'decimal',
    autocomplete: 'off',
    placeholder: '1250.00',
  });
  const list = element(
    'datalist',
    { id: `${prefix}-currencies` },
    ...CURRENCIES.map((name) => element('option', { value: name })),
  );
  const currency = element('input', {
    value: value?.currency ?? '',
    maxLength: 3,

    autocomplete: 'off',
    placeholder: 'EUR',
    ariaLabel: 'Currency',
  });
  currency.setAttribute('list', list.id);
  return {
    name: 'value',
    label: 'Value',
    control: amount,
    parts: [element('div', { className: 'value' }, amount, currency, list)],
    value() {
      const filled = { amount: amount.value.trim(), currency: currency.value.trim().toUpperCase() };
      return filled.amount === '' && filled.currency === '' ? null : filled;
    },
  };
}

/** Each line has a name and a value. @param {Api} api @param {Initial} lead @returns {Field} */
function metadataField(api, { metadata = {} }) {
  const lines = Object.entries(metadata).map(
    ([key, text]) => `${key}: ${String(text).replaceAll('\n', '\\n')}`,
  );
  const types = new Map();
  api
    .get('/metadata-fields?resource=leads&per_page=100')
    .then(({ data }) => {
      for (const { key, type } of data) types.set(key, type);
    })
    // Without the types, the API says which value is wrong.
    .catch(() => undefined);
  /** @param {[string, string]} entry */
  const typed = ([key, text]) => [
    key,
    String(metadata[key]) === text ? metadata[key] : valueOfText(types.get(key), text),
  ];
  const control = element('textarea', {
    rows: Math.max(2, lines.length),
    value: lines.join('\n'),
    spellcheck: false,
  });
  return {
    name: 'metadata',
    label: 'Own fields, one “name: value” in each line',
    control,
    parts: [control],
    value() {
      const lines = control.value.split('\n').filter((line) => line.trim() !== '');
      const filled = Object.fromEntries(lines.map(toEntry).map(typed));
      const removed = Object.keys(metadata).filter((key) => !(key in filled));
      return { ...filled, ...Object.fromEntries(removed.map((key) => [key, null])) };
    },
  };
}

/** @param {string | undefined} type @param {string} text */
function valueOfText(type, text) {
  const isJson =
    type === 'number' ? /^-?\d+(\.\d+)?$/.test(text) : type === 'boolean' && /^(true|false)$/.test(text);
  return isJson ? JSON.parse(text) : text;
}

/** @param {string} line @returns {[string, string]} */
function toEntry(line) {
  const colon = line.indexOf(':');
  const [key, text] = colon === -1 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1)];
  return [key.trim(), text.trim().replaceAll('\\n', '\n')];
}
