import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isDate, isInstantOrDate } from '../../values/instant-or-date.ts';
import { isTimezone } from '../../values/timezone.ts';

/** Ignores keywords of OpenAPI that don't validate, such as `example`. */
export function createAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    // `npm run generate` has checked the schemas.
    validateSchema: false,
    // Optimizing takes most of the time of compiling, and V8 does it again.
    code: { optimize: false },
    ...options,
  });
  addFormats.default(ajv, { mode: 'fast' });
  ajv.addFormat('instant-or-date', isInstantOrDate);
  ajv.addFormat('date', isDate);
  ajv.addFormat('timezone', isTimezone);
  // For generators of clients. `minimum` and `maximum` say what a value may be.
  ajv.addFormat('int32', true);
  return ajv;
}
