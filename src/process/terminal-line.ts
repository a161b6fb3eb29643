import { prettyFactory } from 'pino-pretty';

type Fields = Record<string, unknown>;

/** Others could move the cursor or change the terminal's title. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f-\x9f]/g;

/** Returns a function that makes a JSON line of the log one that a person reads at a terminal. */
export function createTerminalLines({ color }: { color: boolean }): (json: string) => string {
  const options = { colorize: color, translateTime: 'SYS:HH:MM:ss', singleLine: true, ignore: 'audit' };
  const ofRequest = prettyFactory({ ...options, hideObject: true, messageFormat: requestText });
  const ofOthers = prettyFactory(options);
  return (json) => {
    const fields: Fields = JSON.parse(json, (_, value) =>
      typeof value === 'string' ? value.replaceAll(CONTROL, '�') : value,
    );
    const line = fields.method === undefined ? ofOthers(fields) : ofRequest(fields);
    return `${line.trimEnd()}\n`;
  };
}

/** Without what only programs need, such as the id of the request. */
function requestText({ method, path, status, code, ms, msg }: Fields): string {
  const words = [method, path, status, code, msg === 'request' ? undefined : 'cut off', `${ms} ms`];
  return words.filter((word) => word !== undefined).join(' ');
}
