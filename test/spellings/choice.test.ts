import { describe, expect, it } from 'vitest';
import { readSource, readStatus, readYesNo } from '../../src/spellings/choice.ts';
import { readFields } from '../../src/spellings/read-fields.ts';
import { readCases } from '../support/cases.ts';

const ownStatuses: Record<string, string> = { N1: 'new', N3: 'qualified', N4: 'won', N6: 'lost' };

describe('readStatus', () => {
  it.each(readCases('17-lead-status.csv'))('reads $["First Name"] of 17-lead-status.csv', (row) => {
    const { 'First Name': name = '', 'Lead Status': text = '' } = row;
    const { body, warnings } = readFields([{ field: 'status', value: text }], { resource: 'leads' });
    if (text === '') return expect([body, warnings]).toEqual([{}, []]);
    const status = ownStatuses[name];
    expect(body).toEqual(status === undefined ? { metadata: { original_status: text } } : { status });
    expect(warnings.length).toBe(status === undefined ? 1 : 0);
  });

  it.each([
    ['Closed Won', 'won'],
    ['CLOSED_WON', 'won'],
    ['Open - Not Contacted', 'new'],
    ['verloren', 'lost'],
    ['Gagné', 'won'],
  ])('says how to translate %j', (text, status) => {
    expect(readStatus(text).warning).toContain(`as ${status}, translate it with values`);
  });

  it('has no idea of others', () => {
    expect(readStatus('CREATED')).toEqual({
      detail: 'CREATED',
      warning: 'The status must be one of new, contacted, qualified, won, lost.',
    });
    expect(readStatus('x'.repeat(100_000)).value).toBeUndefined();
  });

  it('is translated by values, whatever the case and the spaces', () => {
    const values = { status: { ' open - NOT contacted': 'new', Junk: '', gewonnen: 'won' } };
    const read = (value: string) => readFields([{ field: 'status', value }], { resource: 'leads', values });
    expect(read('Open - Not Contacted ')).toEqual({ body: { status: 'new' }, warnings: [] });
    expect(read('Gewonnen')).toEqual({ body: { status: 'won' }, warnings: [] });
    expect(read('junk')).toEqual({ body: {}, warnings: [] });
  });
});

const sources: Record<string, string> = {
  N0: 'website',
  N1: 'website',
  N2: 'website',
  N3: 'referral',
  N4: 'manual',
  N5: 'manual',
  N7: 'website',
  N8: 'manual',
  N9: 'website',
  N10: 'manual',
};

describe('readSource', () => {
  it.each(readCases('17b-lead-source.csv'))('reads $["First Name"] of 17b-lead-source.csv', (row) => {
    const { 'First Name': name = '', 'Lead Source': text = '' } = row;
    const { body, warnings } = readFields([{ field: 'source', value: text }], { resource: 'leads' });
    if (text === '') return expect([body, warnings]).toEqual([{}, []]);
    const isOwn = ['Website', 'Manual'].includes(text);
    expect(body).toEqual({ source: sources[name], ...(!isOwn && { source_detail: text }) });
    expect(warnings.length).toBe(isOwn ? 0 : 1);
  });

  it.each([
    ['ORGANIC_SEARCH', 'website'],
    ['PAID_SOCIAL', 'website'],
    ['REFERRALS', 'referral'],
    ['External Referral', 'referral'],
    ['Word of mouth', 'referral'],
    ['Empfehlung', 'referral'],
    ['Mundpropaganda', 'referral'],
    ['Bouche à oreille', 'referral'],
    ['Cold Calling', 'manual'],
    ['Sales Rep', 'manual'],
    ['Recommandation', 'referral'],
    ['Messe Berlin', 'manual'],
    ['Trade Show', 'manual'],
    ['Purchased List', 'manual'],
    ['OFFLINE', 'manual'],
    ['Página web', 'website'],
    ['Sito web', 'website'],
    ['fb', 'website'],
    ['ig', 'website'],
    ['Zapier', 'api'],
    ['API', 'api'],
  ])('takes %j for %s', (text, source) => {
    expect(readSource(text).value).toBe(source);
  });

  it('keeps the text where nothing fits, and what the row itself says more', () => {
    const read = (source: string, more: object[] = []) =>
      readFields([{ field: 'source', value: source }, ...(more as { field: string; value: string }[])], {
        resource: 'leads',
      });
    expect(read('Ginger')).toMatchObject({
      body: { source_detail: 'Ginger' },
      warnings: [{ value: 'Ginger' }],
    });
    expect(read('Facebook', [{ field: 'source_detail', value: 'Spring' }]).body).toEqual({
      source: 'website',
      source_detail: 'Spring',
    });
    expect(read('x'.repeat(300)).body).toEqual({ source_detail: 'x'.repeat(100) });
  });

  it('is translated by values, with a detail', () => {
    const values = { source: { 'Trade show': { source: 'referral', source_detail: 'Trade show' } } };
    const given = [{ field: 'source', value: ' TRADE  show' }];
    expect(readFields(given, { resource: 'leads', values })).toEqual({
      body: { source: 'referral', source_detail: 'Trade show' },
      warnings: [],
    });
  });
});

it.each([
  ['true', true],
  ['Yes', true],
  ['ja', true],
  ['SÍ', true],
  ['1', true],
  ['false', false],
  ['Nein', false],
  ['0', false],
  ['inactive', false],
])('readYesNo of %j is %j', (text, value) => {
  expect(readYesNo(text)).toEqual({ value });
});

it('readYesNo leaves out what is neither', () => {
  expect(readYesNo('maybe')).toEqual({ warning: 'This is neither yes nor no.' });
  expect(readYesNo('')).toEqual({});
});
