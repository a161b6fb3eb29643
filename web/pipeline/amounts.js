/** Sums of money. The API's amounts are exact decimal strings, and no sum may lose a digit. */

/** @typedef {{ currency: string | null, leads: number, amount: string | null }} Row A row of a report. */
/** @typedef {{ currency: string, leads: number, amount: string }} Sum */

/**
 * The sum of each currency, in this order, or the one with the most leads first. Rows without an amount don't count.
 * @param {readonly Row[]} rows
 * @param {readonly string[]} [order]
 * @returns {Sum[]}
 */
export function sumByCurrency(rows, order = []) {
  /** @type {Map<string, Sum>} */
  const sums = new Map();
  for (const { currency, leads, amount } of rows) {
    if (currency === null || amount === null || leads === 0) continue;
    const before = sums.get(currency) ?? { currency, leads: 0, amount: '0' };
    sums.set(currency, { currency, leads: before.leads + leads, amount: add(before.amount, amount) });
  }
  /** @param {Sum} sum */
  const place = ({ currency }) => (order.includes(currency) ? order.indexOf(currency) : order.length);
  return [...sums.values()].sort((one, other) => place(one) - place(other) || other.leads - one.leads);
}

/**
 * @param {string} one
 * @param {string} other
 */
function add(one, other) {
  const decimals = Math.max(decimalsOf(one), decimalsOf(other));
  const digits = String(toMinor(one, decimals) + toMinor(other, decimals)).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** @param {string} amount */
const decimalsOf = (amount) => amount.split('.')[1]?.length ?? 0;

/**
 * @param {string} amount
 * @param {number} decimals
 */
function toMinor(amount, decimals) {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}
