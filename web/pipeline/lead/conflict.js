/** @import { Lead } from '../api.js' */
import { element, isolate } from '../dom.js';

/** Fields that change with every change. */
const ALWAYS = ['version', 'updated_at', 'status_changed_at'];

/** What someone else has changed. @param {Lead} before @param {Lead} after */
export function describeConflict(before, after) {
  const fields = /** @type {(keyof Lead)[]} */ (Object.keys(after)).filter(
    (field) => !ALWAYS.includes(field) && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const items = fields.map((field) =>
    element(
      'li',
      {},
      `${field.replaceAll('_', ' ')}: `,
      isolate(toText(before[field])),
      ' → ',
      isolate(toText(after[field])),
    ),
  );
  return element('ul', {}, ...items);
}

/** @param {Lead[keyof Lead]} value */
function toText(value) {
  if (value === null || value === '') return 'nothing';
  if (Array.isArray(value)) return value.join(', ') || 'nothing';
  if (typeof value !== 'object') return String(value);
  return Object.values(value).join(' ') || 'nothing';
}
