import { styleText } from 'node:util';

type Style = 'gray' | 'green' | 'yellow' | 'red';
type Paint = (style: Style, text: string) => string;
type Fields = Record<string, unknown>;

/** Lines of the level `info` need no word for it. */
const levels: Record<number, { name: string; style: Style }> = {
  10: { name: 'TRACE', style: 'gray' },
  20: { name: 'DEBUG', style: 'gray' },
  40: { name: 'WARN', style: 'yellow' },
  50: { name: 'ERROR', style: 'red' },
  60: { name: 'FATAL', style: 'red' },
};

/** Others could move the cursor or change the terminal's title. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f-\x9f]/g;

/** A JSON line of the log, as a person reads it at a terminal. */
export function terminalLine(json: string, { color }: { color: boolean }): string {
  const paint: Paint = (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
  const { level, time, msg, err, ...fields }: Fields = JSON.parse(json, (_, value) =>
    typeof value === 'string' ? value.replaceAll(CONTROL, '�') : value,
  );
  const known = levels[Number(level)];
  const words = [
    paint('gray', new Date(Number(time)).toTimeString().slice(0, 8)),
    ...(msg === 'request' || msg === 'request cut off'
      ? requestWords(fields, msg, paint)
      : [known && paint(known.style, known.name), msg, ...pairs(fields)]),
  ];
  const text = words.filter((word) => word !== undefined).join(' ');
  return [text, ...faultLines(err), ''].join('\n');
}

function requestWords({ method, path, status, code, ms }: Fields, msg: string, paint: Paint): unknown[] {
  const style = Number(status) < 400 ? 'green' : Number(status) < 500 ? 'yellow' : 'red';
  return [
    String(method).padEnd(6),
    path,
    status === undefined ? undefined : paint(style, String(status)),
    code,
    msg === 'request' ? undefined : paint('red', 'cut off'),
    paint('gray', `${ms} ms`),
  ];
}

function pairs(fields: Fields): string[] {
  const shown = Object.entries(fields).filter(([name]) => name !== 'audit');
  return shown.map(([name, value]) => {
    const isWord = typeof value === 'string' && /^\S+$/.test(value);
    return `${name}=${isWord ? value : JSON.stringify(value)}`;
  });
}

/** The error as describeError() describes it, with its causes. */
function faultLines(err: unknown): string[] {
  if (!(err instanceof Object)) return [];
  const { type, message, stack, cause } = err as Fields;
  const frames = String(stack).split('\n').filter(Boolean);
  return [`  ${type}: ${message}`, ...frames, ...faultLines(cause)];
}
