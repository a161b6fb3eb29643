import { expect, it } from 'vitest';
import { errorCodes } from '../../generated/error-codes.ts';
import { renderErrorsPage } from '../../scripts/errors-page.ts';
import { transientFailures } from '../../src/db/errors.ts';
import { readDocument } from '../support/document.ts';
import { readPage } from '../support/markdown.ts';

const page = readPage('docs/errors.md');
const document = readDocument();
const codes = document['x-error-codes'];

it('docs/errors.md has each code with its status, cause and remedy', () => {
  for (const [code, { status, cause, remedy }] of Object.entries(codes)) {
    const [, section = ''] = page.split(`\n### ${status} `);
    const [ofStatus] = section.split('\n### ');
    expect(ofStatus).toContain(`\n| \`${code}\` | ${cause} | ${remedy} |\n`);
  }
  for (const { prefix, meaning, message } of transientFailures) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${prefix}`));
    expect(row).toContain(`| ${meaning} | ${message} |`);
  }
});

it('passes `npm run generate -- --check`, which fails for a changed table', () => {
  expect(renderErrorsPage(page, codes)).toBe(page);
  const changed = page.replace('`token_expired`', '`token_too_old`');
  expect(changed).not.toBe(page);
  expect(renderErrorsPage(changed, codes)).toBe(page);
  expect(() => renderErrorsPage('# Errors\n', codes)).toThrow(
    'docs/errors.md has no place for the table "codes"',
  );
});

it('has every code of the OpenAPI examples, with the same status', () => {
  const found = new Set<string>();
  const visit = (node: unknown, status: number | undefined): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('code' in node && 'request_id' in node && typeof node.code === 'string') {
      const known = errorCodes[node.code as keyof typeof errorCodes];
      // RFC 6749 requires 400 for an invalid form, where other operations answer 422.
      expect([known, known === 422 ? 400 : known], node.code).toContain(status ?? known);
      found.add(node.code);
    }
    for (const [key, child] of Object.entries(node))
      visit(child, /^[45]\d\d$/.test(key) ? Number(key) : status);
  };
  visit(document, undefined);
  expect(found.size).toBeGreaterThan(20);
});
