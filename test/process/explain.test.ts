import { describe, expect, it } from 'vitest';
import { explain } from '../../src/process/explain.ts';

describe('what an operator is told of a connection that broke', () => {
  it.each([
    ['while it was written to', 'EPIPE', 'write EPIPE'],
    ['while it was read from', 'ECONNRESET', 'read ECONNRESET'],
    ['because the server shuts down', '57P01', 'terminating connection due to administrator command'],
  ])('%s', (_when, code, message) => {
    const error = Object.assign(new Error(message), { code });
    expect(explain(error)).toBe('The connection to the database was lost.');
  });

  it('or was never made', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(explain(error)).toBe("The database can't be reached (ECONNREFUSED).");
  });
});
