/**
 * Column names, separated by `|`, by language or product and by what they mean: a field, or one of these.
 *
 * - `id`: the record's id in the other system
 * - `owner`: who works on the record
 * - `created`: when the record was created
 * - `campaign`: the campaign that the record comes from
 * - `other`: something else, whatever the cells look like
 *
 * The cells decide whether a meaning with `?` is right. Case, accents, punctuation and digits of a name don't matter.
 */
export type NamesByGroup = Readonly<Record<string, Readonly<Record<string, string>>>>;
