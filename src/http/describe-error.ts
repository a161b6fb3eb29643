/** What the log shows of an error. */
interface Description {
  type: string;
  message: string;
  /** Where it was thrown. */
  stack: string;
  cause?: Description;
  [property: string]: unknown;
}

/** What is shown beside the message. All else may hold what clients sent: `detail`, `where`, `parameters`. */
const shown = ['code', 'severity', 'routine', 'schema', 'table', 'column', 'constraint', 'syscall'] as const;
/** Causes of causes that are shown. */
const MAX_CAUSES = 5;

/**
 * An error for the log, without people's data. PostgreSQL quotes the value that it can't read and tells the row that
 * breaks a constraint, Knex puts the whole query before the message, its values written out, and JSON.parse the text.
 */
export function describeError(error: unknown, causes = MAX_CAUSES): Description {
  if (!(error instanceof Error)) return { type: typeof error, message: 'Not an error.', stack: '' };
  const properties = Object.entries(error).filter(([name]) => (shown as readonly string[]).includes(name));
  const description: Description = {
    ...Object.fromEntries(properties),
    type: error.constructor.name,
    message: withoutValues(error),
    stack: framesOf(error),
  };
  if (error.cause instanceof Error && causes > 0) description.cause = describeError(error.cause, causes - 1);
  return description;
}

/** PostgreSQL quotes values in its class 22 and in what functions raise. What Knex puts before a message ends with a dash. */
function withoutValues(error: Error): string {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  const quotes = routine === 'exec_stmt_raise' || /^22[0-9A-Z]{3}$/.test(String(code));
  if (quotes) return 'What PostgreSQL said is left out, as it quotes a value.';
  if (error instanceof SyntaxError && error.message.includes('JSON')) return 'This is not valid JSON.';
  return error.message.slice(error.message.lastIndexOf(' - ') + 1).replace(/^- /, '');
}

/** A stack begins with the message, of which a line could look like a frame if it named a file. */
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^ {4}at .*(file:|node:|\/|<anonymous>)/.test(line))
    .join('\n');
}
