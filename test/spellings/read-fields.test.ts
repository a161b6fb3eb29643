import { expect, it } from 'vitest';
import { decideAmountStyle } from '../../src/spellings/amount.ts';
import { decideDateOrder } from '../../src/spellings/date.ts';
import { decodeText } from '../../src/spellings/decode.ts';
import { toAsciiEmail } from '../../src/spellings/email.ts';
import { readFields } from '../../src/spellings/read-fields.ts';

it('reads what people type into the body of a lead, and tells what it left out', () => {
  const given = Object.entries({
    name: '  Ada   Example ',
    email: 'Ada Example <ada@exämple.de>; bob@example.com',
    phone: '4.91512E+12',
    company: ' Engines ',
    status: 'Closed Won',
    source: 'Partner Referral',
    'value.amount': '1.250,00 €',
    expected_close_on: '31.01.2027',
    tags: 'vip, VIP',
    'metadata.plan': 'N/A',
    note: 'Called twice.',
  }).map(([field, value]) => ({ field, value }));

  const { body, warnings } = readFields(given, { resource: 'leads', country: 'DE', locale: 'de' });

  expect(body).toEqual({
    name: 'Ada Example',
    email: 'ada@xn--exmple-cua.de',
    company: 'Engines',
    source: 'referral',
    source_detail: 'Partner Referral',
    value: { amount: '1250.00', currency: 'EUR' },
    expected_close_on: '2027-01-31',
    tags: ['vip'],
    note: 'Called twice.',
    metadata: { other_emails: 'bob@example.com', original_status: 'Closed Won' },
  });
  expect(warnings.map(({ field, value }) => [field, value])).toEqual([
    ['email', ''],
    ['phone', '4.91512E+12'],
    ['status', 'Closed Won'],
    ['source', 'Partner Referral'],
  ]);
});

it('takes what a column decides, and decodes bytes', () => {
  expect(decideAmountStyle(['1,250', '12,50'])).toBe(',');
  expect(decideDateOrder(['1/2/2027', '31/1/2027'])).toBe('day-first');
  expect(toAsciiEmail('ada@münchen.de')).toBe('ada@xn--mnchen-3ya.de');
  expect(decodeText(Buffer.from('J\xfcrgen', 'latin1')).text).toBe('Jürgen');
});
