import type { Schema } from '../../operation.ts';
import type { FieldOptions, GivenField, Warning } from '../../spellings/given.ts';
import { readFields } from '../../spellings/read-fields.ts';

type Body = Record<string, unknown>;

interface Defaults {
  /** The currency of amounts without one. */
  currency: string | undefined;
  /** Values that can't be read. */
  warnings: readonly Warning[];
  /** Sets the fields that the row has not given, or that could not be read. */
  fill(body: Body, given: readonly GivenField[]): void;
}

/** Reads the defaults once for all rows. */
export function createDefaults(defaults: Schema<'ImportDefaults'>, options: FieldOptions): Defaults {
  const { 'value.currency': currency, 'value.amount': amount, ...others } = defaults;
  const readings = Object.entries(others).map(([field, value]) => readFields([{ field, value }], options));
  const given = [
    ...(amount === undefined ? [] : [{ field: 'value.amount', value: amount }]),
    ...(currency === undefined ? [] : [{ field: 'value.currency', value: currency }]),
  ];
  const value = readFields(given, options);
  return {
    currency,
    warnings: [
      ...readings.flatMap(({ warnings }) => warnings),
      ...(currency === undefined ? [] : value.warnings),
    ],
    fill(body, fields) {
      for (const reading of readings) addMissing(body, reading.body);
      if (amount === undefined || body.value !== undefined) return;
      const own = fields.filter(({ field }) => field === 'value.currency');
      if (fields.some(({ field }) => field === 'value.amount' || field === 'value')) return;
      addMissing(body, own.length === 0 ? value.body : readFields([...own, ...given], options).body);
    },
  };
}

/** Copies what may change later, such as a row's metadata. */
function addMissing(body: Body, defaults: Body): void {
  for (const [field, value] of Object.entries(defaults)) {
    if (field === 'metadata') body[field] = { ...Object(value), ...Object(body[field]) };
    else if (body[field] === undefined) body[field] = structuredClone(value);
  }
}
