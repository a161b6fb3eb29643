import { operations } from '../../../generated/operations.ts';
import { basePaths } from '../../environment.ts';

/** Maximum number of segments shown. No operation has more. */
const MAX_SEGMENTS = 10;
const ID = /^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const pages = [
  'docs',
  'guides',
  'dashboard',
  'changelog',
  'llms.txt',
  'mcp',
  'livez',
  'readyz',
  'openapi.json',
  'openapi.yaml',
  'openapi-3.0.json',
  '.well-known',
];
const words: ReadonlySet<string> = new Set(
  [...Object.values(operations).map(({ path }) => path), ...Object.values(basePaths), ...pages]
    .flatMap((path) => path.split('/'))
    .filter((segment) => !segment.includes('{')),
);

/**
 * The path of a URL as the log shows it: the contract's words and ids. Other segments may be secrets or personal data, such
 * as a hook's token or a client's own id of a person.
 */
export function shownPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  const segments = path.split('/', MAX_SEGMENTS);
  return segments.map((segment) => (words.has(segment) || ID.test(segment) ? segment : '…')).join('/');
}
