import type { ValueType } from '../values/metadata-value.ts';
import type { AmountStyle } from './amount.ts';
import type { SpelledResource } from './field-kinds.ts';
import type { DateOrder } from './locale.ts';

/** A text or another JSON value for a field, such as `phone`, `metadata.plan`, `value.amount`, `name.last` or `note`. */
export interface GivenField {
  field: string;
  value: unknown;
  /** What the column's other rows show, for texts that the locale leaves open. */
  amountStyle?: AmountStyle | undefined;
  dateOrder?: DateOrder | undefined;
  /** The currency that the column's name gives. */
  currency?: string | undefined;
}

/** A key of metadata that has a type. */
export interface TypedKey extends ValueType {
  status: string;
  /** Whether values are stored with their JSON type. */
  is_typed: boolean;
}

export interface FieldOptions {
  resource: SpelledResource;
  /** ISO 3166-1 alpha-2, for national phone numbers. */
  country?: string | undefined;
  /** The country that the row names, which comes before it. */
  rowCountry?: string | undefined;
  /** BCP 47, for dates and amounts. */
  locale?: string | undefined;
  values?: Values | undefined;
  /** The keys of metadata that have a type. */
  declared?: ReadonlyMap<string, TypedKey> | undefined;
}

/** `value` is what was left out, cut to 2,000 characters. It is empty if a note keeps the whole text. */
export interface Warning {
  field: string;
  message: string;
  value: string;
}

/**
 * Translations by field and text, compared without case and spaces around: `{"status": {"Open": "new"}}`. An object gives
 * several fields: `{"source": {"Trade show": {"source": "referral", "source_detail": "Trade show"}}}`. An empty text means no value.
 */
export type Values = Readonly<Record<string, Readonly<Record<string, Translation>>>>;
export type Translation = string | Readonly<Record<string, string>>;
