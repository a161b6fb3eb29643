import { describe, expect, it } from 'vitest';
import { createTerminalLines } from '../../src/process/terminal-line.ts';

const time = new Date('2026-11-25T09:08:07').getTime();

/** The line of a terminal, without the time at its beginning. */
function shown(fields: object, color = false): string {
  const line = createTerminalLines({ color })(JSON.stringify({ level: 30, time, ...fields }));
  expect(line).toMatch(/^\[09:08:07\] /);
  return line.slice('[09:08:07] '.length);
}

const request = {
  request_id: 'abc',
  method: 'GET',
  path: '/v1/leads/…',
  status: 200,
  environment: 'production',
  operation: 'getLead',
  client: 'client_1',
  ms: 12,
  msg: 'request',
};

describe('a line of the log at a terminal', () => {
  it('shows of a request the method, path, status and duration', () => {
    expect(shown(request)).toBe('INFO: GET /v1/leads/… 200 12 ms\n');
  });

  it('shows the error code of a failed request', () => {
    const failed = { ...request, method: 'DELETE', status: 404, code: 'not_found' };
    expect(shown(failed)).toBe('INFO: DELETE /v1/leads/… 404 not_found 12 ms\n');
  });

  it('shows that a request was cut off, before or in its response', () => {
    const cutOff = { ...request, level: 40, msg: 'request cut off' };
    expect(shown({ ...cutOff, status: undefined })).toBe('WARN: GET /v1/leads/… cut off 12 ms\n');
    expect(shown(cutOff)).toBe('WARN: GET /v1/leads/… 200 cut off 12 ms\n');
  });

  it('shows the fields of a message', () => {
    expect(shown({ msg: 'Listening.', url: 'http://127.0.0.1:3000', audit: true })).toBe(
      'INFO: Listening. {"url":"http://127.0.0.1:3000"}\n',
    );
  });

  it('shows an error with its causes and their stacks', () => {
    const cause = { type: 'Error', message: 'Away.', stack: '    at file:///b.ts:2:1' };
    const err = { type: 'TypeError', message: 'Wrong.', stack: '    at file:///a.ts:1:1', cause };
    const text = shown({ level: 50, msg: 'It failed.', request_id: 'abc', err });
    for (const part of [
      'ERROR: It failed.',
      'Wrong.',
      'at file:///a.ts:1:1',
      'Away.',
      'at file:///b.ts:2:1',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('is coloured only where there are colours', () => {
    expect(shown(request, true)).toContain('\x1b[32mINFO\x1b[39m');
    expect(shown(request)).not.toContain('\x1b');
  });

  it('can not control the terminal', () => {
    expect(shown({ msg: '\x1b]0;title\x07', text: 'a\x1b[2J\u009bb' })).toBe(
      'INFO: �]0;title� {"text":"a�[2J�b"}\n',
    );
  });
});
