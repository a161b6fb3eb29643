/** @import { Api } from './api.js' */
/** @import { components } from '../../generated/api.ts' */
import { element, find } from './dom.js';
import { may } from './session.js';

/** How many details of a source to offer. */
const MOST = 20;
/** The API's limit of a detail. */
const LONGEST = 100;

const select = find('#source', HTMLSelectElement);

/**
 * The filters of a choice, such as `referral` or `referral:Trade show Berlin`.
 * @param {string} choice
 * @returns {{ source: string } | { source: string, source_detail: string }}
 */
export function splitSource(choice) {
  const [source = '', ...detail] = choice.split(':');
  return detail.length === 0 ? { source } : { source, source_detail: detail.join(':') };
}

/** Chooses a source, whose detail may not be among the choices yet. Nothing if there is no such source. @param {string} choice */
export function setSource(choice) {
  const { source, source_detail: detail } = { source_detail: undefined, ...splitSource(choice) };
  const isKnown = source !== '' && [...select.options].some(({ value }) => value === source);
  const isPossible = detail === undefined || (detail.trim() !== '' && detail.length <= LONGEST);
  if (isKnown && isPossible && detail !== undefined) offer(source, detail);
  select.value = isKnown && isPossible ? choice : '';
}

/** Offers a detail below its source. @param {string} source @param {string} detail */
function offer(source, detail) {
  const value = `${source}:${detail}`;
  const own = [...select.options].filter((option) => splitSource(option.value).source === source);
  if (own.some((option) => option.value === value)) return;
  own.at(-1)?.after(element('option', { value }, `\u2003\u2068${detail}\u2069`));
}

/**
 * Reads the details when somebody is about to choose: there may be many.
 * @param {Api} api
 */
export function watchSource(api) {
  if (!may('analytics:read')) return;
  let isRead = false;
  async function read() {
    if (isRead) return;
    isRead = true;
    const sources = [...select.options].map(({ value }) => value).filter((value) => value !== '');
    await Promise.all(sources.map((source) => readOf(source).catch(() => undefined)));
  }
  /** @param {string} source */
  async function readOf(source) {
    /** @type {{ data: components['schemas']['BreakdownRow'][] }} */
    const { data } = await api.get(`/analytics/breakdown?group_by=source_detail&source=${source}`);
    for (const { group } of data.slice(0, MOST)) {
      if (group !== null) offer(source, group);
    }
  }
  for (const type of ['pointerenter', 'focus']) select.addEventListener(type, read);
}
