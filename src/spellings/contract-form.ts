import { ExactNumber, isObject } from '../values/exact-json.ts';
import { toAsciiEmail } from './email.ts';
import { E164 } from './phone.ts';

/**
 * What a request would have in the field, if the cell is as this service's exports write it. Undefined for other fields, whose
 * usual reader gives the same, and if somebody has edited the cell: then it is read as people write it.
 */
export function inContractForm(field: string, cell: unknown): unknown {
  return forms[field]?.(cell);
}

const text = (cell: unknown) => (typeof cell === 'string' ? cell : undefined);

const forms: Readonly<Record<string, ((cell: unknown) => unknown) | undefined>> = {
  name: text,
  company: text,
  title: text,
  source_detail: text,
  external_id: text,
  lost_reason: text,
  email: (cell) => (isEmail(cell) ? cell : undefined),
  other_emails(cell) {
    const list = typeof cell === 'string' ? cell.split('; ') : cell;
    return Array.isArray(list) && list.every(isEmail) ? list : undefined;
  },
  phone: (cell) => (typeof cell === 'string' && E164.test(cell) ? cell : undefined),
  tags(cell) {
    const list = parsed(cell);
    return Array.isArray(list) && list.every(isText) ? list : undefined;
  },
  metadata(cell) {
    const object = parsed(cell);
    return isObject(object) && !Array.isArray(object) && Object.values(object).every(isScalar)
      ? object
      : undefined;
  },
  'value.amount': (cell) =>
    typeof cell === 'string' && /^\d{1,15}(?:\.\d{1,4})?$/.test(cell) ? new ExactNumber(cell) : undefined,
};

function isEmail(value: unknown): value is string {
  return typeof value === 'string' && toAsciiEmail(value) === value;
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** CSV has lists and objects as JSON. */
function parsed(cell: unknown): unknown {
  if (typeof cell !== 'string') return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return undefined;
  }
}
