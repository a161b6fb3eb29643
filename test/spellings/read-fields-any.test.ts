import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FieldOptions } from '../../src/spellings/given.ts';
import { readFields } from '../../src/spellings/read-fields.ts';

it('readFields never throws, and gives the same when it reads its own texts again', () => {
  const fields = [
    'name',
    'email',
    'phone',
    'tags',
    'status',
    'source',
    'value',
    'metadata',
    'note',
    'value.amount',
  ];
  const entry = fc.record({
    field: fc.constantFrom(...fields, 'metadata.x', 'created_at'),
    value: fc.anything(),
  });
  const options = fc.record({
    resource: fc.constantFrom('leads', 'contacts', 'notes'),
    locale: fc.constantFrom('de', '?'),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), options, (given, { resource, locale }) => {
      const { body, warnings } = readFields(given, { resource, locale } as FieldOptions);
      expect(JSON.stringify(body)).not.toContain('\\u0000');
      for (const { message, value } of warnings) {
        expect(message).toMatch(/^[A-Z].*\.$/);
        expect(value.length).toBeLessThanOrEqual(2_000);
      }
      const { name, phone } = body;
      const again = readFields(
        Object.entries({ name, phone }).map(([field, value]) => ({ field, value })),
        {
          resource: 'leads',
        },
      );
      expect([again.body.name, again.body.phone]).toEqual([name, phone]);
    }),
    { numRuns: 1_000 },
  );
});
