/** The browser's. */
const locale = undefined;
const integer = new Intl.NumberFormat(locale);
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const moment = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const instant = new Intl.DateTimeFormat(locale, {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
});

const UNITS = /** @type {const} */ ([
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
]);

/** @param {number} value */
export const formatNumber = (value) => integer.format(value);

/**
 * Exact: the amount is never a JavaScript number.
 * @param {string} amount
 * @param {string} currency
 */
export const formatMoney = (amount, currency) => moneyFormat(currency, {}).format(toLiteral(amount));

/**
 * Large sums without their decimals, which nobody reads.
 * @param {string} amount
 * @param {string} currency
 */
export function formatSum(amount, currency) {
  const isLarge = (amount.split('.')[0] ?? '').length > 3;
  return moneyFormat(currency, isLarge ? { maximumFractionDigits: 0 } : {}).format(toLiteral(amount));
}

/**
 * @param {string} currency
 * @param {Intl.NumberFormatOptions} options
 */
function moneyFormat(currency, options) {
  return new Intl.NumberFormat(locale, {
    ...options,
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
}

/** @param {string} amount */
const toLiteral = (amount) => /** @type {Intl.StringNumericLiteral} */ (amount);

/** @param {number | null} ratio */
export const formatRatio = (ratio) => (ratio === null ? '–' : percent.format(ratio));

/** A date such as 2026-11-22. @param {string} date */
export const formatDay = (date) => day.format(new Date(date));

/** @param {string} date */
export const formatMonth = (date) => month.format(new Date(date));

/** A date with its year. @param {string} day */
export const formatDate = (day) => date.format(new Date(day));

/** With the year, in the reader's timezone. @param {string} timestamp */
export const formatInstant = (timestamp) => instant.format(new Date(timestamp));

/** In the reader's timezone. @param {string} timestamp */
export const formatMoment = (timestamp) => moment.format(new Date(timestamp));

/** Without the time, in the reader's timezone. @param {string} timestamp */
export const formatShortDay = (timestamp) => shortDay.format(new Date(timestamp));

/** @param {string} word */
export const capitalize = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * The two largest units: 1 d 4 h.
 * @param {number | null} seconds
 */
export function formatDuration(seconds) {
  if (seconds === null) return '–';
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  if (first === -1) return '0 s';
  let rest = seconds;
  const parts = UNITS.slice(first, first + 2).map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count === 0 ? '' : `${count} ${unit}`;
  });
  return parts.join(' ').trim();
}
