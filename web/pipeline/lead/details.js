/** @import { Lead } from '../api.js' */
/** @import { Names } from './names.js' */
import { element, isolate } from '../dom.js';
import { formatDate, formatDuration, formatInstant, formatMoney } from '../format.js';

/** All fields of the lead but its name, status and owner, which stand above. @param {Lead} lead @param {Names} names */
export function createDetails(lead, names) {
  const { value, metadata } = lead;
  /** @type {[string, Node | string | null][]} */
  const rows = [
    ['Email', element('a', { href: `mailto:${encodeURIComponent(lead.email)}` }, isolate(lead.email))],
    ['Other emails', lead.other_emails.length === 0 ? null : listOf(lead.other_emails)],
    ['Phone', lead.phone && element('a', { href: `tel:${lead.phone}` }, lead.phone)],
    ['Company', lead.company && isolate(lead.company)],
    ['Value', value && formatMoney(value.amount, value.currency)],
    ['Expected close', lead.expected_close_on && formatDate(lead.expected_close_on)],
    ['Next step', lead.next_step && isolate(lead.next_step)],
    ['Next step at', lead.next_step_at && formatInstant(lead.next_step_at)],
    ['Lost because', lead.lost_reason && isolate(lead.lost_reason)],
    ['Source', lead.source],
    ['Source detail', lead.source_detail && isolate(lead.source_detail)],
    ['Content', lead.content_id && names.show(lead.content_id)],
    ['Contact', lead.contact_id && names.show(lead.contact_id)],
    ['Tags', lead.tags.length === 0 ? null : listOf(lead.tags)],
    ['External id', lead.external_id && isolate(lead.external_id)],
    ...Object.entries(metadata).map(
      ([key, value]) => /** @type {[string, Node]} */ ([key, isolate(String(value))]),
    ),
    [
      'In this status',
      `${formatDuration(secondsSince(lead.status_changed_at))}, since ${formatInstant(lead.status_changed_at)}`,
    ],
    ['Created', formatInstant(lead.created_at)],
    ['Updated', formatInstant(lead.updated_at)],
  ];
  const shown = rows.filter(([, content]) => content !== null && content !== '');
  return element(
    'dl',
    {},
    ...shown.flatMap(([name, content]) => [
      element('dt', {}, isolate(name)),
      element('dd', {}, content ?? ''),
    ]),
  );
}

/** @param {string[]} tags */
function listOf(tags) {
  return element('ul', { className: 'tags' }, ...tags.map((tag) => element('li', {}, isolate(tag))));
}

/** @param {string} timestamp */
const secondsSince = (timestamp) => Math.max(0, Math.floor((Date.now() - Date.parse(timestamp)) / 1000));
